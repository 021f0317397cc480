/** Jobs that make builds of other pipelines. The service makes the build; these say what it means here. */
import { endTime } from './end-time.ts';
import { isForgiven } from './exit-status.ts';
import { findJob } from './find-job.ts';
import type { Job, Tree } from './records.ts';
import { change } from './settle.ts';

/**
 * How the build that was made has ended, or that none could be made (`failed`, or `skipped` where that
 * is what the run was asked for).
 */
export type TriggerOutcome = 'passed' | 'failed' | 'canceled' | 'skipped';

/**
 * The scheduled trigger job has made this build: it has passed where it is `async`, else it runs until
 * `finishTrigger`. Returns the tree itself where the job is not scheduled any more.
 */
export function startTrigger(
  tree: Tree,
  jobId: string,
  triggered: NonNullable<Job['triggered']>,
  at: number,
): Tree {
  const job = triggerJob(tree, jobId);
  if (job?.state !== 'scheduled') return tree;
  const step = tree.plan.steps[job.step];
  const isDone = step?.type === 'trigger' && step.async;
  const started: Job = {
    ...job,
    state: isDone ? 'passed' : 'running',
    triggered,
    startedAt: at,
    finishedAt: isDone ? at : null,
  };
  const build = { ...tree.build, startedAt: tree.build.startedAt ?? at };
  return change(tree, { build, jobs: [started] }, at);
}

/**
 * The build of a trigger job has come to its end, or was not made. Returns the tree itself where the
 * job is over: it may have been canceled meanwhile.
 */
export function finishTrigger(
  tree: Tree,
  jobId: string,
  outcome: TriggerOutcome,
  at: number,
): Tree {
  const job = triggerJob(tree, jobId);
  if (job?.state !== 'scheduled' && job?.state !== 'running') return tree;
  const step = tree.plan.steps[job.step];
  const softFail = step?.type === 'trigger' && step.softFail;
  const state = outcome === 'canceled' ? 'failed' : outcome;
  const softFailed = state === 'failed' && isForgiven(softFail, { exitStatus: 1 });
  return change(tree, { jobs: [{ ...job, state, softFailed, finishedAt: endTime(job, at) }] }, at);
}

function triggerJob(tree: Tree, jobId: string): Job | undefined {
  const job = findJob(tree, jobId);
  return job?.type === 'trigger' ? job : undefined;
}
