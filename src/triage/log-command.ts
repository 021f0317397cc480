import type { Job } from '../api/resources/job.ts';
import { jobWord } from './job-word.ts';
import { quoted } from './quoted.ts';

/**
 * The command that prints the log of a job of a build, which is named as a user types it; null where
 * no name of the job can be typed. A step key leads to a job only where no other has it.
 */
export function logCommand(
  job: Pick<Job, 'step_key' | 'id'>,
  build: string,
  jobs: readonly Job[],
): string | null {
  const word = jobWord(job, jobs);
  return word === undefined ? null : `cictl job log ${quoted(`${build}#${word}`)}`;
}
