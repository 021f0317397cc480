import { type Job, jobTitle } from '../../api/resources/job.ts';

/** What a page calls a job: in one line. */
export const nameOf = (job: Job): string => jobTitle(job) ?? 'job';
