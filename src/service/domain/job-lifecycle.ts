/** State transitions of jobs. If a job is not in the right state, returns the tree unchanged. */
import type { Outcome } from '../runner-port.ts';
import { retriesAutomatically, runAgain } from './retry.ts';
import { isWithAgent, endTime, isForgiven } from './job-states.ts';
import { findJob } from './find-job.ts';
import type { Agent, Job, JobState, Tree, PromisedFailure } from './records.ts';
import { change } from './settle.ts';
import type { SoftFail } from '../pipeline/plan.ts';
import { Refusal } from './refusal.ts';

/** Starts a scheduled job in a slot. */
export function startJob(tree: Tree, jobId: string, agent: Agent, at: number): Tree {
  const job = findJob(tree, jobId);
  if (job?.type !== 'script' || job.state !== 'scheduled') return tree;
  return running(tree, { ...job, agent }, at);
}

function running(tree: Tree, job: Job, at: number): Tree {
  const { build } = tree;
  return change(
    tree,
    {
      build: build.startedAt === null ? { ...build, startedAt: at } : build,
      jobs: [{ ...job, state: 'running', startedAt: at }],
    },
    at,
  );
}

/** Records how the job's process exited. If the step is retried automatically, adds a new job. */
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
  return retriesAutomatically(tree, finished)
    ? runAgain(tree, finished, 'automatic', at, newId())
    : change(tree, { jobs: [finished] }, at);
}

function endState(job: Job, { timedOut, exitStatus }: Outcome): JobState {
  if (job.state === 'canceling') return 'canceled';
  if (timedOut || job.state === 'timing_out') return 'timed_out';
  return exitStatus === 0 ? 'passed' : 'failed';
}

/** Fails the jobs that were in slots when the service was killed. Jobs of other agents continue. */
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

/** Gives a job with a concurrency limit a place in its concurrency group. */
export const admitJob = (tree: Tree, jobId: string, at: number): Tree =>
  moved(tree, jobId, ['limited'], at, { state: 'scheduled', runnableAt: at });

/** Records that a remote agent accepted a scheduled job but has not started it yet. */
export const acceptJob = (tree: Tree, jobId: string, agent: Agent, at: number): Tree =>
  moved(tree, jobId, ['scheduled'], at, { state: 'accepted', agent });

/** Records that a remote agent started a job that it had accepted. */
export function beginJob(tree: Tree, jobId: string, at: number): Tree {
  const job = findJob(tree, jobId);
  return job?.type === 'script' && job.state === 'accepted' ? running(tree, job, at) : tree;
}

/** Releases a job that its remote agent has not started, so that other agents can take it. */
export const releaseJob = (tree: Tree, jobId: string, at: number): Tree =>
  moved(tree, jobId, ['accepted'], at, { state: 'scheduled', agent: null });

/** Records that the job reached its timeout. The agent must stop the job and report the outcome. */
export const timeOutJob = (tree: Tree, jobId: string, at: number): Tree =>
  moved(tree, jobId, ['running'], at, { state: 'timing_out' });

/** Records that no agent took the job in time. */
export const expireJob = (tree: Tree, jobId: string, at: number): Tree =>
  moved(tree, jobId, ['scheduled'], at, { state: 'expired', finishedAt: at });

export const cancelJob = (tree: Tree, jobId: string, at: number): Tree =>
  moved(tree, jobId, ['accepted', 'running', 'timing_out'], at, { state: 'canceling' });

function moved(
  tree: Tree,
  jobId: string,
  from: readonly JobState[],
  at: number,
  members: Partial<Job>,
): Tree {
  const job = findJob(tree, jobId);
  if (job?.type !== 'script' || !from.includes(job.state)) return tree;
  return change(tree, { jobs: [{ ...job, ...members }] }, at);
}

export const hasJob = (job: Job | undefined, agentId: string): job is Job =>
  job !== undefined && isWithAgent(job) && job.agent?.id === agentId;

/** Outcome of the triggered build. If no build was created, `failed` or `skipped`. */
export type TriggerOutcome = 'passed' | 'failed' | 'canceled' | 'skipped';

/** Records a trigger job's build. An `async` job passes now; others run until `finishTrigger`. */
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

/** Finishes a trigger job when its triggered build has finished or was not created. */
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

/**
 * Marks a running job as certain to fail, so that its build is failing from now on. Only the first
 * call for a job has an effect. Throws `Refusal` if the job is not running.
 */
export function promiseFailure(
  tree: Tree,
  jobId: string,
  { exitStatus, reason }: Pick<PromisedFailure, 'exitStatus' | 'reason'>,
  at: number,
): Tree {
  const job = findJob(tree, jobId);
  if (job?.state !== 'running')
    throw new Refusal('invalid', 'Only a running job can promise to fail');
  if (job.promised !== undefined) return tree;
  const step = tree.plan.steps[job.step];
  const softFail = step?.type === 'command' && step.softFail;
  const promised = { exitStatus, reason, isForgiven: isForgiven(softFail, { exitStatus }) };
  return change(tree, { jobs: [{ ...job, promised }] }, at);
}

/** Uses the promised exit status if the reported one is less severe (success or soft failure). */
function asPromised({ state, promised }: Job, reported: Outcome, softFail: SoftFail): Outcome {
  if (promised === undefined || state === 'canceling' || reported.timedOut) return reported;
  const isKept =
    reported.exitStatus !== 0 && (promised.isForgiven || !isForgiven(softFail, reported));
  return isKept ? reported : { ...reported, exitStatus: promised.exitStatus };
}
