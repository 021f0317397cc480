import type { Build } from '../api/resources/build.ts';
import type { Job } from '../api/resources/job.ts';
import { escapeTsv } from '../render/tsv.ts';
import { jobTitle } from './title.ts';
import { shownState, type Event } from './tracker.ts';

/**
 * One change as a line of tab-separated values for a pipe: time, `build` or `job`, number or name,
 * state, and what else is known of it. Undefined for events that change nothing.
 *
 * @param at milliseconds since the epoch
 */
export function eventLine(event: Event, at: number): string | undefined {
  const cells = event.event === 'job' ? jobCells(event.job) : buildCells(event);
  if (cells === undefined) return undefined;
  return [new Date(at).toISOString(), event.event, ...cells].map(escapeTsv).join('\t');
}

const buildCells = (event: Event): string[] | undefined =>
  event.event === 'build' ? buildCell(event.build) : undefined;

const buildCell = (build: Build): string[] => [
  String(build.number ?? ''),
  shownState(build),
  build.web_url ?? '',
];

const jobCells = (job: Job): string[] => [jobTitle(job), job.state ?? 'unknown', jobNote(job)];

/** How a job ended: its exit status or signal, and whether that is forgiven. */
export function jobNote(job: Job): string {
  const status = job.exit_status ?? 0;
  const how = job.signal ? `signal ${job.signal}` : status === 0 ? '' : `exit status ${status}`;
  return [how, job.soft_failed === true ? 'soft failure' : ''].filter(Boolean).join(', ');
}
