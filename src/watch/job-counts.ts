import type { Job } from '../api/resources/job.ts';
import { jobExit } from './outcome.ts';

/** `5/8 done`, `3 running`, `1 failed`, `1 soft`, `1 blocked`; nothing of which there is none. */
export function jobCounts(jobs: readonly Job[]): string[] {
  if (jobs.length === 0) return [];
  const count = (is: (job: Job) => boolean): number => jobs.filter(is).length;
  const counts: [number, string][] = [
    [count(({ state }) => state === 'running'), 'running'],
    [count((job) => jobExit(job) === 1), 'failed'],
    [count(isSoft), 'soft'],
    [count((job) => jobExit(job) === 4), 'blocked'],
  ];
  return [
    `${count(isDone)}/${jobs.length} done`,
    ...counts.filter(([number]) => number > 0).map(([number, word]) => `${number} ${word}`),
  ];
}

/** What waits for a person is not over. */
function isDone(job: Job): boolean {
  const code = jobExit(job);
  return code !== undefined && code !== 4;
}

const isSoft = (job: Job): boolean =>
  job.soft_failed === true && jobExit({ ...job, soft_failed: false }) === 1;
