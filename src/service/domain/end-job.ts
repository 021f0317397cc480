/** How jobs end that are canceled. */
import { endTime } from './end-time.ts';
import { isDone } from './job-states.ts';
import type { Job, JobState } from './records.ts';

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
