/** Makes the build that a trigger job asks for. */
import { startTimer } from '../../common/clock.ts';
import { findJob } from '../domain/find-job.ts';
import { Refusal } from '../domain/refusal.ts';
import { finishTrigger, startTrigger } from '../domain/trigger.ts';
import type { Build, Tree } from '../domain/records.ts';
import type { TriggerStep } from '../pipeline/plan.ts';
import { isStorageError } from '../store/database.ts';
import { change } from './engine-change.ts';
import { scheduleFill } from './engine-fill.ts';
import { handsOf } from './engine-hands.ts';
import { logLine, retryDelay, type EngineState } from './engine-state.ts';
import { makeBuild, type BuildOrder } from './make-build.ts';
import { targetOf } from './trigger-target.ts';

/** Never rejects. What stands in the way is written to the log of the job, which fails of it. */
export async function makeTriggered(
  engine: EngineState,
  buildId: string,
  jobId: string,
): Promise<void> {
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
