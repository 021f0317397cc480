import { type Job, jobTitle, partOfParallel } from '../api/resources/job.ts';

/** The step that a job is of, the same in all builds of its pipeline. */
export interface StepOfJob {
  readonly key: string | null;
  /** Of all jobs of a step, where it has no key: without `1/4`. */
  readonly name: string;
  /** What tells apart the jobs that one step makes in a build; empty where it makes one. */
  readonly part: string;
}

export function stepOfJob(job: Job): StepOfJob {
  const title = jobTitle(job) ?? 'job';
  const index = job.parallel_group_index ?? null;
  const matrix = job.matrix ?? null;
  const isOne = index === null && matrix === null;
  return {
    // Without a key it is empty.
    key: job.step_key || null,
    name: withoutPart(title, job),
    part: isOne ? '' : JSON.stringify([index, matrix]),
  };
}

/** A name may have the number in it: `Test 1/4`. */
function withoutPart(title: string, job: Job): string {
  const { parallel_group_index: index, parallel_group_total: total } = job;
  if (typeof index !== 'number' || partOfParallel(job) !== undefined) return title;
  const part = `${index + 1}/${total ?? 0}`;
  return ` ${title} `.replace(` ${part} `, ' ').trim() || title;
}
