/** What agents do to jobs: take one, end one, be lost with one. */
import type { Outcome } from '../runner-port.ts';
import { automaticRetryOf, runAgain } from './retry.ts';
import { isWithAgent, endTime, isForgiven } from './job-states.ts';
import { findJob } from './find-job.ts';
import type { Agent, Job, JobState, Tree, PromisedFailure } from './records.ts';
import { change } from './settle.ts';
import type { SoftFail } from '../pipeline/plan.ts';
import { Refusal } from './refusal.ts';

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

// A job that waited for its turn in a concurrency group; who is next, the store says.

/** A limited job has got its place. Returns the tree itself where it is not limited any more. */
export function admitJob(tree: Tree, jobId: string, at: number): Tree {
  const job = findJob(tree, jobId);
  if (job?.state !== 'limited') return tree;
  return change(tree, { jobs: [{ ...job, state: 'scheduled', runnableAt: at }] }, at);
}

// What agents beside the slots do to jobs, step by step: a slot does it all at once.

/** `agent` takes the scheduled job, and has not begun. Returns the tree itself where it cannot. */
export const acceptJob = (tree: Tree, jobId: string, agent: Agent, at: number): Tree =>
  moved(tree, jobId, ['scheduled'], at, (job) => ({ ...job, state: 'accepted', agent }));

/** Its agent begins. Returns the tree itself where the job is not accepted. */
export function beginJob(tree: Tree, jobId: string, at: number): Tree {
  const job = findJob(tree, jobId);
  if (job?.type !== 'script' || job.state !== 'accepted') return tree;
  const isFirst = tree.build.startedAt === null;
  const build = isFirst ? { ...tree.build, startedAt: at } : tree.build;
  return change(tree, { build, jobs: [{ ...job, state: 'running', startedAt: at }] }, at);
}

/** Its agent has dropped the job before it began: another one may take it. */
export const releaseJob = (tree: Tree, jobId: string, at: number): Tree =>
  moved(tree, jobId, ['accepted'], at, (job) => ({ ...job, state: 'scheduled', agent: null }));

/** Its time is over: the agent has to end it, and says how it ended. */
export const timeOutJob = (tree: Tree, jobId: string, at: number): Tree =>
  moved(tree, jobId, ['running'], at, (job) => ({ ...job, state: 'timing_out' }));

/** No agent took it in time. */
export const expireJob = (tree: Tree, jobId: string, at: number): Tree =>
  moved(tree, jobId, ['scheduled'], at, (job) => ({
    ...job,
    state: 'expired',
    finishedAt: endTime(job, at),
  }));

/** Ends one job that an agent has; others of the build go on. */
export const cancelJob = (tree: Tree, jobId: string, at: number): Tree =>
  moved(tree, jobId, ['accepted', 'running', 'timing_out'], at, (job) => ({
    ...job,
    state: 'canceling',
  }));

/** Whether this agent has the job now. */
export const hasJob = (job: Job | undefined, agentId: string): job is Job =>
  job !== undefined && isWithAgent(job) && job.agent?.id === agentId;

function moved(
  tree: Tree,
  jobId: string,
  from: readonly JobState[],
  at: number,
  move: (job: Job) => Job,
): Tree {
  const job = findJob(tree, jobId);
  if (job?.type !== 'script' || !from.includes(job.state)) return tree;
  return change(tree, { jobs: [move(job)] }, at);
}

// Jobs that make builds of other pipelines. The service makes the build; these say what it means here.

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

// A job says before its end that it is going to fail, so that its build fails from then on.

/** Throws `Refusal` where the job does not run. A promise that it has given already stays. */
export function promiseFailure(
  tree: Tree,
  jobId: string,
  { exitStatus, reason }: Pick<PromisedFailure, 'exitStatus' | 'reason'>,
  at: number,
): Tree {
  const job = findJob(tree, jobId);
  if (job?.state !== 'running')
    throw new Refusal('invalid', 'Only a running job can promise its failure');
  if (job.promised !== undefined) return tree;
  const step = tree.plan.steps[job.step];
  const softFail = step?.type === 'command' && step.softFail;
  const promised = { exitStatus, reason, isForgiven: isForgiven(softFail, { exitStatus }) };
  return change(tree, { jobs: [{ ...job, promised }] }, at);
}

/** What counts of an end that is no failure, or one that is forgiven where that was not promised. */
function asPromised({ state, promised }: Job, reported: Outcome, softFail: SoftFail): Outcome {
  if (promised === undefined || state === 'canceling' || reported.timedOut) return reported;
  const isKept =
    reported.exitStatus !== 0 && (promised.isForgiven || !isForgiven(softFail, reported));
  return isKept ? reported : { ...reported, exitStatus: promised.exitStatus };
}
