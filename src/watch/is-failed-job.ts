import type { Job } from '../api/resources/job.ts';
import { jobExit } from './outcome.ts';

/** Whether the job failed and that counts: a soft failure does not (`cictl help exit-codes`). */
export const isFailedJob = (job: Job): boolean => jobExit(job) === 1;
