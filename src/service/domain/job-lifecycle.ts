/** What agents do to jobs: take one, end one, be lost with one. */
import type { Outcome } from '../runner-port.ts';
import { automaticRetryOf } from './automatic-retry.ts';
import { isWithAgent } from './end-job.ts';
import { endTime } from './end-time.ts';
import { isForgiven } from './exit-status.ts';
import { findJob } from './find-job.ts';
import type { Agent, Job, JobState, Tree } from './records.ts';
import { asPromised } from './promise-failure.ts';
import { runAgain } from './retry.ts';
import { change } from './settle.ts';

/** `agent` takes the scheduled job. Returns the tree itself where it cannot. */
export function startJob(tree: Tree, jobId: string, agent: Agent, at: number): Tree {
  const job = findJob(tree, jobId);
  if (job?.type !== 'script' || job.state !== 'scheduled') return tree;
  const started: Job = { ...job, state: 'running', agent, startedAt: at };
  const isFirst = tree.build.startedAt === null;
  const build = isFirst ? { ...tree.build, startedAt: at } : tree.build;
  return change(tree, { build, jobs: [started] }, at);
}

/**
 * The process of a running job has ended so. Where a rule of its step retries it, the new execution
 * gets its id from `newId` and what depends on the job waits on.
 */
export function finishJob(
  tree: Tree,
  jobId: string,
  reported: Outcome,
  at: number,
  newId: () => string,
): Tree {
  const job = findJob(tree, jobId);
  if (job === undefined || !isWithAgent(job)) return tree;
  const step = tree.plan.steps[job.step];
  const softFail = step?.type === 'command' && step.softFail;
  const outcome = asPromised(job, reported, softFail);
  const state = endState(job, outcome);
  const finished: Job = {
    ...job,
    state,
    exitStatus: outcome.exitStatus,
    signal: outcome.signal,
    signalReason: outcome.signalReason,
    softFailed: state !== 'passed' && state !== 'canceled' && isForgiven(softFail, outcome),
    finishedAt: endTime(job, at),
  };
  if (automaticRetryOf(tree, finished) === undefined) return change(tree, { jobs: [finished] }, at);
  return runAgain(tree, finished, 'automatic', at, newId());
}

/**
 * The service was killed: jobs that ran in its slots have lost them, those of other agents go on.
 * Returns the tree itself where there is nothing to do.
 */
export function recover(tree: Tree, at: number, newId: () => string): Tree {
  const lostOutcome: Outcome = {
    exitStatus: -1,
    signal: null,
    signalReason: 'agent_stop',
    timedOut: false,
  };
  return tree.jobs
    .filter((job) => isWithAgent(job) && job.agent?.remote !== true)
    .reduce((before, job) => finishJob(before, job.id, lostOutcome, at, newId), tree);
}

function endState(job: Job, { timedOut, exitStatus }: Outcome): JobState {
  if (job.state === 'canceling') return 'canceled';
  if (timedOut || job.state === 'timing_out') return 'timed_out';
  return exitStatus === 0 ? 'passed' : 'failed';
}
