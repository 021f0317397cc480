/** What the states of a job mean for the jobs after it and for its build. */
import type { Job, JobState } from './records.ts';

const active: readonly JobState[] = ['limited', 'scheduled', 'running', 'canceling'];
const unreached: readonly JobState[] = ['waiting', 'blocked', ...active];
const followed: readonly JobState[] = ['waiting_failed', 'blocked_failed'];

/** Something goes on: an agent has it or may take it. */
export const isActive = (job: Job): boolean => active.includes(job.state);

/** It has come to its end, whatever that was. */
export const isDone = (job: Job): boolean => !unreached.includes(job.state);

/** It never ran, because something before it failed. */
export const hasFollowed = (job: Job): boolean => followed.includes(job.state);

/** It ended so that what depends on it may go on. */
export const isFine = (job: Job): boolean =>
  ['passed', 'unblocked', 'skipped'].includes(job.state) || (isDone(job) && job.softFailed);

/** It fails its build. */
export const isHardFailure = (job: Job): boolean =>
  ['failed', 'timed_out', 'canceled', 'broken'].includes(job.state) && !job.softFailed;

/** The newest execution of its step. */
export const isCurrent = (job: Job): boolean => job.retriedInJobId === null;
