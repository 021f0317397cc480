import type { Job } from '../api/resources/job.ts';

/** The name of a job, otherwise its label, key, command or ID. */
export const jobTitle = (job: Job): string =>
  [job.name, job.label, job.step_key, firstLine(job.command), job.id].find(isText) ?? 'job';

const isText = (text: string | null | undefined): text is string =>
  text !== undefined && text !== null && text.trim() !== '';

const firstLine = (command: string | null | undefined): string | undefined =>
  command?.trim().split('\n', 1)[0];

export const jobTitleLine = (job: Job): string =>
  (job.name === job.command && firstLine(job.command)) || jobTitle(job);
