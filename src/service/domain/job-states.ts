/** How the state of a job affects its build and the jobs that depend on it. */
import type { Job, JobState } from './records.ts';
import type { SoftFail } from '../pipeline/plan.ts';
import type { Outcome } from '../runner-port.ts';

const withAgent = ['accepted', 'running', 'timing_out', 'canceling'] as const;
const agentStates: ReadonlySet<JobState> = new Set(withAgent);
const active: ReadonlySet<JobState> = new Set(['limited', 'scheduled', ...withAgent]);
const open: ReadonlySet<JobState> = new Set<JobState>(['waiting', 'blocked', ...active]);
const fine: ReadonlySet<JobState> = new Set(['passed', 'unblocked', 'skipped', 'broken']);
const failed: ReadonlySet<JobState> = new Set(['failed', 'timed_out', 'expired']);

export const isActive = (job: Job): boolean => active.has(job.state);

export const isDone = (job: Job): boolean => !open.has(job.state);

/** Whether the job did not run because a dependency failed. */
export const hasFollowed = (job: Job): boolean =>
  job.state === 'waiting_failed' || job.state === 'blocked_failed';

/** Whether the unfinished job has already reported a failure that is not soft. */
export const isFailing = (job: Job): boolean =>
  !isDone(job) && job.promised !== undefined && !job.promised.isForgiven;

/** Whether jobs that depend on this one may run. */
export const isFine = (job: Job): boolean => fine.has(job.state) || (isDone(job) && job.softFailed);

/** Whether the job itself failed and the failure is not soft. */
export const hasFailed = (job: Job): boolean => failed.has(job.state) && !job.softFailed;

export const isHardFailure = (job: Job): boolean =>
  hasFailed(job) || (job.state === 'canceled' && !job.softFailed);

export const isOmitted = (job: Job): boolean => job.state === 'skipped' || job.state === 'broken';

/** Whether this is the latest attempt of the step. */
export const isCurrent = (job: Job): boolean => job.retriedInJobId === null;

/** Whether an agent holds the job. Its process must then stop before the job can finish. */
export const isWithAgent = (job: Job): boolean =>
  job.type !== 'trigger' && agentStates.has(job.state);

/** Sets `canceling` if an agent holds the job, otherwise `canceled`. Ignores finished jobs. */
export function endedByCancel(job: Job, at: number): Job {
  if (isWithAgent(job)) return { ...job, state: 'canceling' };
  return isDone(job) ? job : { ...job, state: 'canceled', finishedAt: endTime(job, at) };
}

/** Returns a time that is not earlier than the start, even if the clock was set back. */
export const endTime = ({ startedAt }: { readonly startedAt: number | null }, at: number): number =>
  Math.max(startedAt ?? at, at);

export const isForgiven = (softFail: SoftFail, outcome: Pick<Outcome, 'exitStatus'>): boolean =>
  typeof softFail === 'boolean' ? softFail : hasStatus(softFail, outcome.exitStatus);

/** Status -1 means killed by a signal. Older agents report 255, so rules may use either value. */
export const hasStatus = (statuses: readonly number[], status: number): boolean =>
  statuses.includes(status) || (status === -1 && statuses.includes(255));
