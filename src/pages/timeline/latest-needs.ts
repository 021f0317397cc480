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
  const members = byStep(jobs);
  const ofJobs = new Map<number, number | null>();
  const ofSteps = new Map<string, number | null>();
  const endOf = (index: number | null): number => times[index ?? -1]?.end ?? -Infinity;
  const last = (indexes: readonly (number | null)[]): number | null =>
    indexes.reduce((one, other) => (endOf(other) > endOf(one) ? other : one), null);

  return ofJob;

  function ofJob(index: number): number | null {
    const known = ofJobs.get(index);
    if (known !== undefined) return known;
    // Whoever leads back here finds nothing.
    ofJobs.set(index, null);
    const found = last((jobs[index]?.depends_on ?? []).map(ofStep));
    ofJobs.set(index, found);
    return found;
  }

  function ofStep(step: string): number | null {
    const known = ofSteps.get(step);
    if (known !== undefined) return known;
    const found = last(
      (members.get(step) ?? []).map((index) =>
        jobs[index]?.type === 'waiter' ? ofJob(index) : index,
      ),
    );
    ofSteps.set(step, found);
    return found;
  }
}

/** Indexes by the id of the step: one has many jobs by `parallelism`, a matrix, and retries. */
function byStep(jobs: readonly Job[]): Map<string, number[]> {
  const members = new Map<string, number[]>();
  jobs.forEach(({ step }, index) => {
    const id = typeof step === 'object' && step !== null && 'id' in step ? step.id : undefined;
    if (typeof id !== 'string') return;
    const list = members.get(id);
    if (list === undefined) members.set(id, [index]);
    else list.push(index);
  });
  return members;
}
