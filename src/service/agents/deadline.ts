import type { Job, Tree } from '../domain/records.ts';

const minute = 60_000;

/** When a job has to be over by what its step says, and that nothing is amiss with it. */
export function deadlineOf(
  { plan }: Tree,
  job: Job,
): { readonly deadline: number | null; readonly unclaimedSince: null } {
  const step = plan.steps[job.step];
  const minutes = step?.type === 'command' ? step.timeoutInMinutes : null;
  const hasBegun = job.state === 'running' && job.startedAt !== null;
  const deadline = minutes === null || !hasBegun ? null : (job.startedAt ?? 0) + minutes * minute;
  return { deadline, unclaimedSince: null };
}
