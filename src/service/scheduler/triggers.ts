/** What others may do with builds, the triggers of the engine itself included. */
import type { Tree, Build, Job, Pipeline } from '../domain/records.ts';
import {
  change,
  noteInLists,
  type Transition,
  followNew,
  type EngineState,
  inTurn,
  retryDelay,
  logLine,
  type EngineParts,
} from './engine-state.ts';
import { offerJobs } from './agents/offer-jobs.ts';
import { startTimer } from '../../common/clock.ts';
import { isStorageError } from '../store/database.ts';
import { admitJobs } from './limits.ts';
import { runJob, nextForSlots, writeAndTake, type Taken } from './slots.ts';
import { cancelBuild } from '../domain/build-lifecycle.ts';
import { finishTrigger, type TriggerOutcome, startTrigger } from '../domain/job-lifecycle.ts';
import { findJob } from '../domain/find-job.ts';
import { Refusal } from '../domain/refusal.ts';
import type { TriggerStep } from '../pipeline/plan.ts';
import { makeBuild, type BuildOrder, type BuildTarget } from './make-build.ts';
import { rulesPermit } from '../domain/permissions.ts';

export interface EngineHands {
  /** Takes a new build in. */
  add(tree: Tree): Tree;
  /** Applies a transition to a build and does what follows from it; gives the new state. */
  change(buildId: string, transition: Transition): Tree;
  /** Runs the action when those before it about the same thing have ended. */
  inTurn<T>(name: string, action: () => Promise<T>): Promise<T>;
}

export const handsOf = (engine: EngineState): EngineHands => ({
  add: (tree) => {
    engine.parts.store.builds.add(tree);
    followNew(engine, tree);
    noteInLists(engine, tree.build);
    scheduleFill(engine);
    return tree;
  },
  change: (buildId, transition) => {
    const tree = change(engine, buildId, transition);
    scheduleFill(engine);
    return tree;
  },
  inTurn: (name, action) => inTurn(engine.turns, name, action),
});

// Does what changes have left to do, and gives scheduled jobs to free slots.

/** Soon, so that whoever made a build gets the response first. */
export function scheduleFill(engine: EngineState): void {
  if (engine.isFillScheduled || engine.phase !== 'running') return;
  engine.isFillScheduled = true;
  setImmediate(() => {
    engine.isFillScheduled = false;
    try {
      if (engine.phase === 'running') fill(engine);
    } catch (error) {
      // The disk may be full: what is scheduled stays so for now.
      if (isStorageError(error)) engine.storageError = error.message;
      startTimer(retryDelay, () => scheduleFill(engine), { keepsProcess: false });
    }
  });
}

function fill(engine: EngineState): void {
  followTriggers(engine);
  admitJobs(engine);
  fillSlots(engine);
  offerJobs(engine);
}

function fillSlots(engine: EngineState): void {
  const isFree = engine.slots.some(({ jobId }) => jobId === null);
  if (!isFree || nextForSlots(engine) === undefined) return;
  beginJobs(
    engine,
    writeAndTake(engine, () => 'take'),
  );
}

function beginJobs(engine: EngineState, taken: readonly Taken[]): void {
  for (const one of taken) {
    const run = runJob(engine, one)
      .then(inNextTurn)
      .then((next) => {
        engine.jobs.delete(run);
        beginJobs(engine, next);
        scheduleFill(engine);
      });
    engine.jobs.add(run);
  }
}

/** Jobs that end as soon as they have begun would leave nobody else a turn. */
const inNextTurn = <T>(value: T): Promise<T> =>
  new Promise((resolve) => setImmediate(() => resolve(value)));

// Trigger jobs: their builds are made, waited for and canceled with them.

/** Does for each of them what its state and that of its build ask for. */
function followTriggers(engine: EngineState): void {
  for (const id of engine.pending.triggers) {
    const found = engine.parts.store.builds.job(id);
    if (found?.job.state === 'scheduled') beginTrigger(engine, found.buildId, id);
    else if (found?.job.triggered)
      followTriggered(engine, found.buildId, found.job, found.job.triggered);
    engine.pending.triggers.delete(id);
  }
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

function followTriggered(
  engine: EngineState,
  buildId: string,
  job: Job,
  triggered: NonNullable<Job['triggered']>,
): void {
  const { store, clock } = engine.parts;
  const made = store.builds.byId(triggered.buildId);
  const isOver = made === undefined || (made.finishedAt !== null && !made.blocked);
  if (job.state === 'running' && isOver)
    change(engine, buildId, (tree) => finishTrigger(tree, job.id, outcomeOf(made), clock.now()));
  if (job.state === 'canceled' && !isOver && made.state !== 'canceling')
    change(engine, made.id, (tree) => cancelBuild(tree, reasonOf(engine, buildId), clock.now()));
}

function reasonOf({ parts }: EngineState, buildId: string): string {
  const build = parts.store.builds.byId(buildId);
  return `Build ${build?.number ?? ''}, which triggered it, was canceled`;
}

/** A build in which nothing had to run has done what it was made for; one that gave way to another has not. */
function outcomeOf(build: Build | undefined): TriggerOutcome {
  const state = build?.state ?? 'canceled';
  if (state === 'passed' || state === 'not_run') return 'passed';
  return state === 'failed' ? 'failed' : 'canceled';
}

// Makes the build that a trigger job asks for.

/** Never rejects. What stands in the way is written to the log of the job, which fails of it. */
async function makeTriggered(engine: EngineState, buildId: string, jobId: string): Promise<void> {
  try {
    await tryTrigger(engine, buildId, jobId);
  } catch (error) {
    if (isStorageError(error)) {
      tryLater(engine, jobId, error);
      return;
    }
    const reason = error instanceof Error ? error.message : String(error);
    await logLine(engine, jobId, `The build could not be made: ${reason}`);
    try {
      change(engine, buildId, (tree) =>
        finishTrigger(tree, jobId, 'failed', engine.parts.clock.now()),
      );
    } catch (second) {
      tryLater(engine, jobId, second);
    }
  }
  scheduleFill(engine);
}

async function tryTrigger(engine: EngineState, buildId: string, jobId: string): Promise<void> {
  const { parts } = engine;
  const tree = parts.store.builds.tree(buildId);
  const step = tree?.plan.steps[findJob(tree, jobId)?.step ?? -1];
  if (tree === undefined || step?.type !== 'trigger') return;
  const target = targetOf(parts, tree.build, step);
  const { slug: pipelineSlug } = target.pipeline;
  const start = (made: Build): void => {
    const triggered = { buildId: made.id, number: made.number, pipelineSlug };
    const url = parts.urls.webBuild(target.organization.slug, pipelineSlug, made.number);
    change(engine, buildId, (now) => started(now, jobId, triggered, parts.clock.now()));
    parts.logs.appendNow(jobId, `Made build ${made.number} of ${pipelineSlug}: ${url}\n`);
  };
  const order = orderOf(parts, tree, jobId, step, target.pipeline.defaultBranch);
  await makeBuild({ ...parts, engine: handsOf(engine) }, target, order, start);
}

/** It may have been canceled while the file was read: then there is no build. */
function started(
  tree: Tree,
  jobId: string,
  triggered: Parameters<typeof startTrigger>[2],
  at: number,
): Tree {
  if (findJob(tree, jobId)?.state !== 'scheduled')
    throw new Refusal('invalid', 'the job has ended before');
  return startTrigger(tree, jobId, triggered, at);
}

/** What the step leaves out is as the public service has it; how jobs run here is as in this build. */
function orderOf(
  parts: EngineState['parts'],
  { build }: Tree,
  jobId: string,
  step: TriggerStep,
  defaultBranch: string,
): BuildOrder {
  const from = parts.store.pipelines.byId(build.pipelineId);
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

function tryLater(engine: EngineState, jobId: string, error: unknown): void {
  engine.storageError = error instanceof Error ? error.message : String(error);
  const again = (): void => {
    engine.pending.triggers.add(jobId);
    scheduleFill(engine);
  };
  startTimer(retryDelay, again, { keepsProcess: false });
}

// Which pipeline a trigger step means, and whether it may.

/** How many builds may follow from one another. */
const maxDepth = 10;

/** Throws `Refusal` where it is not here, restricted, or the end of a long chain of triggers. */
function targetOf(
  { store }: Pick<EngineParts, 'store'>,
  build: Build,
  { pipeline: slug }: TriggerStep,
): BuildTarget {
  const organization = store.accounts.organizationById(build.organizationId);
  const source = store.pipelines.byId(build.pipelineId);
  if (organization === undefined || source === undefined)
    throw new Refusal('invalid', 'its own pipeline is gone');
  const pipeline = store.pipelines.find(organization.id, slug);
  if (pipeline === undefined) throw new Refusal('invalid', `there is no pipeline ${slug} here`);
  if (depthOf(store, build) >= maxDepth)
    throw new Refusal(
      'invalid',
      `this build is the last of ${maxDepth} that have triggered one another`,
    );
  const rules = store.rules.list(organization.id);
  if (!rulesPermit(rules, 'pipeline.trigger_build.pipeline', source, pipeline))
    throw new Refusal('invalid', `${slug} is restricted; ${permitLine(store, source, pipeline)}`);
  return { organization, pipeline };
}

function depthOf(store: EngineParts['store'], build: Build): number {
  let depth = 1;
  let from = build.triggeredFrom;
  while (from !== null && depth < maxDepth) {
    depth++;
    from = store.builds.byId(from.buildId)?.triggeredFrom ?? null;
  }
  return depth;
}

const permitLine = (store: EngineParts['store'], source: Pipeline, target: Pipeline): string =>
  `a rule permits it: cictl rules create --type pipeline.trigger_build.pipeline --source ${nameOf(store, source)} --target ${nameOf(store, target)}`;

/** A slug is looked up through a build: a pipeline without one goes by its id. */
const nameOf = (store: EngineParts['store'], { id, slug }: Pipeline): string =>
  store.pipelines.lastNumber(id) > 0 ? slug : id;
