import type { Job } from '../../api/resources/job.ts';
import { jobTitle } from '../../api/resources/job-title.ts';

/** What a page calls a job: in one line. */
export const nameOf = (job: Job): string => jobTitle(job) ?? 'job';
