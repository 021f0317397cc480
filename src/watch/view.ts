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
  /** Prints complete log lines between the events, or above the frame */
  readonly show: (text: string) => Promise<void>;
  /** Prints a message without interrupting the data */
  readonly note: (text: string) => Promise<void>;
  /** Lets a prompt use the terminal until the returned function is called. Only for frames */
  readonly pause?: () => Promise<() => void>;
  /** Must be called once, even if the watch failed */
  readonly close: () => Promise<void>;
}

export function viewKind({ format, isScreen }: Pick<Output, 'format' | 'isScreen'>) {
  if (format === 'json' || format === 'jsonl') return 'json';
  return isScreen && format === 'table' ? 'live' : 'lines';
}

interface ViewContext {
  readonly out: Output;
  readonly clock: Clock;
  readonly messages: Pick<Context['messages'], 'note'>;
}

/** Prints one JSON object per line. Logs are not events, so they go to standard error. */
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
  readonly logs?: JobLogs | undefined;
  readonly several?: boolean | undefined;
}

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
 * Formats one change as tab-separated values: time, `build` or `job`, number or name, state,
 * details. Undefined for other events. With `several`, a build is `PIPELINE/N` and a job is
 * `PIPELINE/N#NAME`.
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

/** An event as JSON. Fields that do not apply are omitted. */
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
