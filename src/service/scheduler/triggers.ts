/** Creates the builds of trigger jobs, waits for them, and cancels them if the job is canceled. */
import { startTimer } from '../../common/clock.ts';
import { cancelBuild } from '../domain/build-lifecycle.ts';
import { findJob } from '../domain/find-job.ts';
import { finishTrigger, startTrigger, type TriggerOutcome } from '../domain/job-lifecycle.ts';
import { rulesPermit } from '../domain/permissions.ts';
import type { Build, Job, Pipeline, Tree } from '../domain/records.ts';
import { Refusal } from '../domain/refusal.ts';
import type { TriggerStep } from '../pipeline/plan.ts';
import { isStorageError } from '../store/database.ts';
import type { Store } from '../store/store.ts';
import { retryDelay, type EngineState } from './engine-state.ts';
import { makeBuild, type BuildOrder, type BuildTarget } from './make-build.ts';

/** Starts, finishes or cancels pending trigger jobs. */
export function followTriggers(engine: EngineState): void {
  const { store, pendingTriggers } = engine;
  for (const id of pendingTriggers) {
    const found = store.builds.job(id);
    if (found?.job.state === 'scheduled') beginTrigger(engine, found.buildId, id);
    else if (found?.job.triggered)
      followTriggered(engine, found.buildId, found.job, found.job.triggered.buildId);
    pendingTriggers.delete(id);
  }
}

function followTriggered(engine: EngineState, buildId: string, job: Job, madeId: string): void {
  const { clock } = engine;
  const { builds } = engine.store;
  const made = builds.byId(madeId);
  const isOver = made === undefined || (made.finishedAt !== null && !made.blocked);
  if (job.state === 'running' && isOver)
    engine.change(buildId, (tree) => finishTrigger(tree, job.id, outcomeOf(made), clock.now()));
  if (job.state === 'canceled' && !isOver && made.state !== 'canceling') {
    const reason = `The triggering build ${builds.byId(buildId)?.number ?? ''} was canceled`;
    engine.change(madeId, (tree) => cancelBuild(tree, reason, clock.now()));
  }
}

/** A build without jobs to run is treated as passed; a skipped build is treated as canceled. */
function outcomeOf(build: Build | undefined): TriggerOutcome {
  const state = build?.state ?? 'canceled';
  if (state === 'passed' || state === 'not_run') return 'passed';
  return state === 'failed' ? 'failed' : 'canceled';
}

function beginTrigger(engine: EngineState, buildId: string, jobId: string): void {
  if (engine.triggering.has(jobId)) return;
  engine.triggering.add(jobId);
  const run = makeTriggered(engine, buildId, jobId).then(() => {
    engine.triggering.delete(jobId);
    engine.jobs.delete(run);
  });
  engine.jobs.add(run);
}

/** Never rejects. If the build cannot be created, the job fails with the reason in its log. */
async function makeTriggered(engine: EngineState, buildId: string, jobId: string): Promise<void> {
  try {
    await tryTrigger(engine, buildId, jobId);
  } catch (error) {
    if (isStorageError(error)) {
      retryLater(engine, jobId, error);
      return;
    }
    const reason = error instanceof Error ? error.message : String(error);
    await engine.logLine(jobId, `The build could not be created: ${reason}`);
    try {
      engine.change(buildId, (tree) => finishTrigger(tree, jobId, 'failed', engine.clock.now()));
    } catch (second) {
      retryLater(engine, jobId, second);
    }
  }
}

function retryLater(engine: EngineState, jobId: string, error: unknown): void {
  engine.storageError = error instanceof Error ? error.message : String(error);
  const retry = (): void => {
    engine.pendingTriggers.add(jobId);
    engine.wake();
  };
  startTimer(retryDelay, retry, { keepsProcess: false });
}

async function tryTrigger(engine: EngineState, buildId: string, jobId: string): Promise<void> {
  const { parts, store } = engine;
  const tree = store.builds.tree(buildId);
  const step = tree?.plan.steps[findJob(tree, jobId)?.step ?? -1];
  if (tree === undefined || step?.type !== 'trigger') return;
  const target = targetOf(store, tree.build, step);
  const { slug: pipelineSlug, defaultBranch } = target.pipeline;
  const onMade = ({ id, number }: Build): void => {
    engine.change(buildId, (now) => {
      if (findJob(now, jobId)?.state !== 'scheduled')
        throw new Refusal('invalid', 'the job has already ended');
      return startTrigger(now, jobId, { buildId: id, number, pipelineSlug }, engine.clock.now());
    });
    const url = parts.urls.webBuild(target.organization.slug, pipelineSlug, number);
    parts.logs.appendNow(jobId, `Created build ${number} of ${pipelineSlug}: ${url}\n`);
  };
  const order = orderOf(store, tree, jobId, step, defaultBranch);
  await makeBuild({ ...parts, engine }, target, order, onMade);
}

/** Uses the same defaults as the public service, and the options of the triggering build. */
function orderOf(
  store: Store,
  { build }: Tree,
  jobId: string,
  step: TriggerStep,
  defaultBranch: string,
): BuildOrder {
  const from = store.pipelines.byId(build.pipelineId);
  const { commit, branch, message, env, metaData } = step.build;
  return {
    commit: commit ?? 'HEAD',
    branch: branch ?? defaultBranch,
    message: message ?? step.label ?? build.message,
    ...{ env, metaData, author: build.author, creatorId: build.creatorId },
    ...{ ignoreBranchFilters: false, pullRequest: null, source: 'trigger_job' },
    ...{ cleanCheckout: build.cleanCheckout, workspace: build.workspace },
    ...{ hostEnv: build.hostEnv, options: build.options },
    triggeredFrom: {
      ...{ jobId, buildId: build.id, number: build.number },
      pipelineSlug: from?.slug ?? '',
    },
  };
}

/** Maximum length of a chain of builds in which each build triggers the next one. */
const maxDepth = 10;

/**
 * Throws `Refusal` if the pipeline does not exist or is restricted, or if the chain is too long.
 */
function targetOf(store: Store, build: Build, { pipeline: slug }: TriggerStep): BuildTarget {
  const organization = store.accounts.organizationById(build.organizationId);
  const source = store.pipelines.byId(build.pipelineId);
  if (organization === undefined || source === undefined)
    throw new Refusal('invalid', 'its own pipeline no longer exists');
  const pipeline = store.pipelines.find(organization.id, slug);
  if (pipeline === undefined) throw new Refusal('invalid', `pipeline ${slug} does not exist here`);
  if (depthOf(store, build) >= maxDepth)
    throw new Refusal(
      'invalid',
      `too many builds have triggered one another (at most ${maxDepth})`,
    );
  const rules = store.rules.list(organization.id);
  if (!rulesPermit(rules, 'pipeline.trigger_build.pipeline', source, pipeline)) {
    const [from, to] = [nameOf(store, source), nameOf(store, pipeline)];
    const command = `cictl rules create --type pipeline.trigger_build.pipeline --source ${from} --target ${to}`;
    throw new Refusal('invalid', `${slug} is restricted; to allow this, create a rule: ${command}`);
  }
  return { organization, pipeline };
}

function depthOf(store: Store, build: Build): number {
  let depth = 1;
  let from = build.triggeredFrom;
  while (from !== null && depth < maxDepth) {
    depth++;
    from = store.builds.byId(from.buildId)?.triggeredFrom ?? null;
  }
  return depth;
}

/** `cictl rules create` only accepts slugs of pipelines with builds, which contain the UUID. */
const nameOf = (store: Store, { id, slug }: Pipeline): string =>
  store.pipelines.lastNumber(id) > 0 ? slug : id;
