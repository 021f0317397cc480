import type { Job, Tree } from '../../domain/records.ts';

const minute = 60_000;

/** When a job has to be over by what its step says, and that nothing is amiss with it. */
export function deadlineOf(
  { plan }: Tree,
  job: Job,
): { readonly deadline: number | null; readonly unclaimedSince: null } {
  const step = plan.steps[job.step];
  const minutes = step?.type === 'command' ? step.timeoutInMinutes : null;
  const { state, startedAt } = job;
  const isLimited = minutes !== null && state === 'running' && startedAt !== null;
  return { deadline: isLimited ? startedAt + minutes * minute : null, unclaimedSince: null };
}
