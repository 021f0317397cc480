import type { Build } from '../api/resources/build.ts';
import type { Job } from '../api/resources/job.ts';
import { escapeTsv } from '../render/tsv.ts';
import { cleanText } from '../untrusted-text.ts';
import { jobTitle } from './job-title.ts';
import type { JobNames } from './job-names.ts';
import { shownState, type Event } from './changes.ts';

/**
 * One change as a line of tab-separated values for a pipe: time, `build` or `job`, number or name,
 * state, and what else is known of it. Undefined for events that change nothing.
 *
 * @param at milliseconds since the epoch
 * @param several a build goes by `PIPELINE/N` then, a job by `PIPELINE/N#NAME`
 */
export function eventLine(
  event: Event,
  at: number,
  several = false,
  nameOf: JobNames = (_, job) => jobTitle(job),
): string | undefined {
  const cells = cellsOf(event, several, nameOf);
  if (cells === undefined) return undefined;
  return [new Date(at).toISOString(), event.event, ...cells]
    .map((cell) => escapeTsv(cleanText(cell)))
    .join('\t');
}

function cellsOf(event: Event, several: boolean, nameOf: JobNames): string[] | undefined {
  if (event.event !== 'build' && event.event !== 'job') return undefined;
  const { build } = event;
  const title = several ? reference(build) : String(build.number ?? '');
  if (event.event === 'build') return [title, shownState(build), build.web_url ?? ''];
  const name = nameOf(build, event.job);
  return [several ? `${title}#${name}` : name, event.job.state ?? 'unknown', jobNote(event.job)];
}

const reference = ({ pipeline, number }: Build): string =>
  [pipeline?.slug, number].filter((part) => part !== undefined && part !== null).join('/');

/**
 * What an agent has to be for a job that waits for one, or how a job ended: its exit status or signal, whether a failure is soft, and tried again; why it was
 * left out, where the service says it.
 */
export function jobNote(job: Job): string {
  if (job.omitted_reason) return job.omitted_reason;
  const tags = job.waiting_for_agents ?? [];
  if (tags.length > 0) return `no agent has ${tags.join(', ')}`;
  const status = job.exit_status ?? 0;
  const how = job.signal ? `signal ${job.signal}` : status === 0 ? '' : `exit status ${status}`;
  const isRetried = job.retried === true && !!job.finished_at;
  const notes = [how, job.soft_failed === true && 'soft failure', isRetried && 'retried'];
  return notes.filter(Boolean).join(', ');
}
