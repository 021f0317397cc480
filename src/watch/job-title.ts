import type { Job } from '../api/resources/job.ts';

/** What a job is called: its name, else a block step's label, else its key, command or id. */
export const jobTitle = (job: Job): string =>
  [job.name, job.label, job.step_key, firstLine(job.command), job.id].find(isText) ?? 'job';

const isText = (text: string | null | undefined): text is string =>
  text !== undefined && text !== null && text.trim() !== '';

const firstLine = (command: string | null | undefined): string | undefined =>
  command?.trim().split('\n', 1)[0];

/** The title in a line of its own: of a job that goes by its whole command the first line of that. */
export const jobTitleLine = (job: Job): string =>
  (job.name === job.command && firstLine(job.command)) || jobTitle(job);
