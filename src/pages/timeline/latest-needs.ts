import type { Job } from '../../api/resources/job.ts';
import type { JobTimes } from './job-times.ts';

/**
 * Which of all that a job depends on was over last, by the index of the job; null where nothing of it
 * ran. Waits stand for what is before them. Each dependency is looked at once.
 */
export function latestNeeds(
  jobs: readonly Job[],
  times: readonly JobTimes[],
): (index: number) => number | null {
  const members = byName(jobs);
  const ofJobs = new Map<number, number | null>();
  const ofNames = new Map<string, number | null>();
  const endOf = (index: number | null): number => times[index ?? -1]?.end ?? -Infinity;
  const last = (indexes: readonly (number | null)[]): number | null =>
    indexes.reduce((one, other) => (endOf(other) > endOf(one) ? other : one), null);

  return ofJob;

  function ofJob(index: number): number | null {
    const known = ofJobs.get(index);
    if (known !== undefined) return known;
    // Whoever leads back here finds nothing.
    ofJobs.set(index, null);
    const found = last((jobs[index]?.depends_on ?? []).map(ofName));
    ofJobs.set(index, found);
    return found;
  }

  function ofName(name: string): number | null {
    const known = ofNames.get(name);
    if (known !== undefined) return known;
    const found = last(
      (members.get(name) ?? []).map((index) =>
        jobs[index]?.type === 'waiter' ? ofJob(index) : index,
      ),
    );
    ofNames.set(name, found);
    return found;
  }
}

/**
 * Indexes by what dependencies may name: id or key of the step, key of the group. A step has many jobs by
 * `parallelism`, a matrix, and retries.
 */
function byName(jobs: readonly Job[]): Map<string, number[]> {
  const members = new Map<string, number[]>();
  jobs.forEach(({ step, step_key: key, group_key: group }, index) => {
    for (const name of new Set([stepId(step), key, group])) {
      if (!name) continue;
      const list = members.get(name);
      if (list === undefined) members.set(name, [index]);
      else list.push(index);
    }
  });
  return members;
}

function stepId(step: Job['step']): string | undefined {
  const id = typeof step === 'object' && step !== null && 'id' in step ? step.id : undefined;
  return typeof id === 'string' ? id : undefined;
}
