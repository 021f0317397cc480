import type { Job } from '../api/resources/job.ts';
import { cleanLine } from '../common/untrusted-text.ts';
import { jobTitleLine } from '../watch/job-title.ts';
import { variantOf } from '../watch/job-names.ts';

/** What a job is called on a screen: its title, and which of the jobs of its step it is. */
export function jobLabel(job: Job): string {
  const title = cleanLine(jobTitleLine(job)).trim();
  return [title, ...variantOf(job, title)].join(' ');
}
