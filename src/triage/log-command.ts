import type { Job } from '../api/resources/job.ts';
import { quoted } from './quoted.ts';

/**
 * The command that prints the log of a job of a build, which is named as a user types it; null where
 * no name of the job can be typed. A step key leads to a job only where no other has it.
 */
export function logCommand(
  { step_key: key, id }: Pick<Job, 'step_key' | 'id'>,
  build: string,
  jobs: readonly Job[],
): string | null {
  const isUnique = jobs.filter(({ step_key: other }) => other === key).length === 1;
  const name = [isUnique ? key : null, id].find(isTypable);
  return name == null ? null : `cictl job log ${quoted(`${build}#${name}`)}`;
}

const isTypable = (name: string | null | undefined): boolean =>
  name != null && /^[\w.-]+$/.test(name);
