import type { Output } from '../render/output.ts';
import type { Context } from '../context.ts';
import type { JobLogs } from './job-logs.ts';
import { createJobNames, type JobNames } from './job-names.ts';
import { type Event, shownState } from './changes.ts';
import type { Clock } from '../common/clock.ts';
import type { Build } from '../api/resources/build.ts';
import type { Job } from '../api/resources/job.ts';
import { escapeTsv } from '../render/tsv.ts';
import { cleanText } from '../common/untrusted-text.ts';
import { jobTitle } from './job-title.ts';

export interface View {
  readonly report: (event: Event) => Promise<void>;
  /** Whole lines of a log, ready to be printed; between the events, or above the frame. */
  readonly show: (text: string) => Promise<void>;
  /** A sentence beside the data, put where it does not get in the way. */
  readonly note: (text: string) => Promise<void>;
  /**
   * Leaves the terminal to a question until the function that comes back is called; only where
   * there is a frame.
   */
  readonly pause?: () => Promise<() => void>;
  /** To be called once, however the watch ended. */
  readonly close: () => Promise<void>;
}

type ViewKind = 'json' | 'lines' | 'live';

/** Events as JSON in that format; a live frame on a screen; else a line for each change. */
export function viewKind({ format, isScreen }: Pick<Output, 'format' | 'isScreen'>): ViewKind {
  if (format === 'json' || format === 'jsonl') return 'json';
  return isScreen && format === 'table' ? 'live' : 'lines';
}

interface ViewContext {
  readonly out: Output;
  readonly clock: Clock;
  readonly messages: Pick<Context['messages'], 'note'>;
}

/** One JSON object a line (interface, "Output"); logs are no events, and go beside them. */
export function jsonView({ out, clock, messages }: ViewContext): View {
  const note = noteOf(messages);
  return {
    report: async (event) => {
      if (event.event === 'wait') await note(event.reason);
      await out.event(eventJson(event, clock.now()));
    },
    show: (text) => note(text.replace(/\n$/, '')),
    note,
    close: () => Promise.resolve(),
  };
}

interface LineOptions {
  /** The logs of the jobs, where they are wanted. */
  readonly logs?: JobLogs | undefined;
  /** Several builds are watched at once. */
  readonly several?: boolean | undefined;
}

/** One line for each change, for a pipe. */
export function lineView({ out, clock, messages }: ViewContext, options: LineOptions = {}): View {
  const { logs, several } = options;
  const nameOf = createJobNames();
  const note = noteOf(messages);
  return {
    report: async (event) => {
      await logs?.report(event);
      if (event.event === 'wait') await note(event.reason);
      const line = eventLine(event, clock.now(), several, nameOf);
      if (line !== undefined) await out.line(line);
    },
    show: (text) => out.write(text),
    note,
    close: async () => logs?.close(),
  };
}

const noteOf =
  (messages: ViewContext['messages']): View['note'] =>
  (text) => {
    messages.note(text);
    return Promise.resolve();
  };

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

/**
 * One event in its JSON form (interface, "Output"): `at` in UTC, then `event`, `build`, `job`
 * and `exit_code`, without the members that do not apply.
 *
 * @param at milliseconds since the epoch
 */
export const eventJson = (event: Event, at: number): object => ({
  at: new Date(at).toISOString(),
  event: event.event,
  ...(event.build && { build: buildPart(event.build) }),
  ...(event.event === 'job' && { job: jobPart(event.job) }),
  ...(event.event === 'end' && { exit_code: event.exitCode }),
});

const buildPart = ({ number, state, blocked, web_url }: Build) => ({
  number,
  state,
  blocked,
  web_url,
});

const jobPart = ({ waiting_for_agents: tags, ...job }: Job) => ({
  id: job.id,
  name: jobTitle(job),
  state: job.state,
  exit_status: job.exit_status,
  soft_failed: job.soft_failed,
  ...(tags && tags.length > 0 && { waiting_for_agents: tags }),
});
