/** What the states of a job mean for the jobs after it and for its build. */
import type { Job, JobState } from './records.ts';

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
