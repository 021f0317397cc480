import { isDone } from '../../domain/job-states.ts';
import type { Job } from '../../domain/records.ts';

/** What an agent gets to know of its job when it asks: any other word means that it goes on. */
export function stateForAgent(job: Job | undefined, version: string): string {
  if (job === undefined || isDone(job)) return 'canceled';
  // Versions before 4 do not know the word.
  return job.state === 'timing_out' && /^[0-3]\./.test(version) ? 'canceling' : job.state;
}
