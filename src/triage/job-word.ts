import type { Job } from '../api/resources/job.ts';

/**
 * The name of a job that can be typed behind `#`: its step key where no other job has it, else its
 * id; undefined where neither can be typed.
 */
export function jobWord(
  { step_key: key, id }: Pick<Job, 'step_key' | 'id'>,
  jobs: readonly Job[],
): string | undefined {
  const isUnique = jobs.filter(({ step_key: other }) => other === key).length === 1;
  return [isUnique ? key : null, id].find(isTypable) ?? undefined;
}

const isTypable = (name: string | null | undefined): boolean =>
  name != null && /^[\w.-]+$/.test(name);
