/** What the states of a job mean for the jobs after it and for its build. */
import type { Job, JobState } from './records.ts';
import type { SoftFail } from '../pipeline/plan.ts';
import type { Outcome } from '../runner-port.ts';

const active: ReadonlySet<JobState> = new Set([
  ...(['limited', 'scheduled', 'accepted', 'running', 'timing_out', 'canceling'] as const),
]);
const open: ReadonlySet<JobState> = new Set(['waiting', 'blocked', ...active]);
const fine: ReadonlySet<JobState> = new Set(['passed', 'unblocked', 'skipped', 'broken']);
const failed: ReadonlySet<JobState> = new Set(['failed', 'timed_out', 'expired']);

/** Something goes on: an agent has it or may take it. */
export const isActive = (job: Job): boolean => active.has(job.state);

/** It has come to its end, whatever that was. */
export const isDone = (job: Job): boolean => !open.has(job.state);

/** It never ran, because something before it failed. */
export const hasFollowed = (job: Job): boolean =>
  job.state === 'waiting_failed' || job.state === 'blocked_failed';

/** It is under way and has said that it is going to fail, which nothing forgives. */
export const isFailing = (job: Job): boolean =>
  !isDone(job) && job.promised !== undefined && !job.promised.isForgiven;

/** It ended so that what depends on it may go on. */
export const isFine = (job: Job): boolean => fine.has(job.state) || (isDone(job) && job.softFailed);

/** It failed by itself, and nothing forgives that. */
export const hasFailed = (job: Job): boolean => failed.has(job.state) && !job.softFailed;

/** It fails its build. */
export const isHardFailure = (job: Job): boolean =>
  hasFailed(job) || (job.state === 'canceled' && !job.softFailed);

/** It never ran, because its step is left out. */
export const isOmitted = (job: Job): boolean => job.state === 'skipped' || job.state === 'broken';

/** The newest execution of its step. */
export const isCurrent = (job: Job): boolean => job.retriedInJobId === null;

// How jobs end that are canceled.

/** An agent has it: its process has to be ended first. */
export const isWithAgent = (job: Job): boolean =>
  job.type !== 'trigger' && withAgent.has(job.state);

const withAgent: ReadonlySet<JobState> = new Set([
  ...(['accepted', 'running', 'timing_out', 'canceling'] as const),
]);

/** Canceled at once, or `canceling` until its process has ended; the same where it is over. */
export function endedByCancel(job: Job, at: number): Job {
  if (isWithAgent(job)) return { ...job, state: 'canceling' };
  return isDone(job) ? job : { ...job, state: 'canceled', finishedAt: endTime(job, at) };
}

/** When what began then has ended: not before it, though the clock was set back meanwhile. */
export const endTime = ({ startedAt }: { readonly startedAt: number | null }, at: number): number =>
  Math.max(startedAt ?? at, at);

// Exit statuses as the rules of a step name them.

/** `softFail` forgives an end like this one. */
export const isForgiven = (softFail: SoftFail, outcome: Pick<Outcome, 'exitStatus'>): boolean =>
  typeof softFail === 'boolean' ? softFail : hasStatus(softFail, outcome.exitStatus);

/** A death by signal is -1; files may call it 255 as well, as agents of older versions do. */
export const hasStatus = (statuses: readonly number[], status: number): boolean =>
  statuses.includes(status) || (status === -1 && statuses.includes(255));
