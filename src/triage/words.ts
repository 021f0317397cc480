import { cleanLine, cleanText } from '../common/untrusted-text.ts';
import type { Attempt, CausePart, Failure, Report } from './report-resource.ts';

/** The build as a user would type it, for example `org/hello/3`. */
export const buildWords = ({ build }: Report): string =>
  `${build.organization}/${build.pipeline}/${build.number}`;

/** Each cause with its first job, whose log has the excerpt, and the index of this job. */
export function explained({ causes, failures }: Report): [CausePart, Failure, number][] {
  const places = new Map(failures.map(({ id }, at) => [id, at]));
  return causes.flatMap((cause) => {
    const at = places.get(cause.jobs[0]?.id ?? null) ?? -1;
    const failure = failures[at];
    return failure === undefined ? [] : [[cause, failure, at]];
  });
}

/** For example, `the build was canceled: superseded`. Empty for other builds. */
export function cancelWords({ build: { state, cancel_reason: reason } }: Report): string[] {
  if (state !== 'canceled' && state !== 'canceling') return [];
  const words = `the build ${state === 'canceled' ? 'was' : 'is being'} canceled`;
  return [reason ? `${words}: ${cleanLine(reason)}` : words];
}

/** For example, `20 jobs: 16 passed, 3 failed, 1 not run`. Zero counts are omitted. */
export function countWords({ counts }: Report): string {
  const { jobs, ...classes } = counts;
  const parts = Object.entries(classes)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${count} ${classWords[name] ?? name}`);
  const total = `${jobs} ${jobs === 1 ? 'job' : 'jobs'}`;
  return parts.length === 0 ? total : `${total}: ${parts.join(', ')}`;
}

const classWords: Readonly<Record<string, string>> = {
  soft_failed: 'soft failed',
  followed: 'not run',
  unfinished: 'not finished',
};

/** `failed, exit status 1`, `timed out, signal SIGTERM (cancel)`, `failed, soft failure`. */
export const endingWords = (job: Failure | Attempt): string =>
  joined(
    [
      job.state.replaceAll('_', ' '),
      job.exit_status === null ? '' : `exit status ${exitWords(job.exit_status)}`,
      signalWords(job),
      job.soft_failed ? 'soft failure' : '',
    ],
    ', ',
  );

/** For example, `137 (killed, often out of memory)`. */
export const exitWords = (status: number | string): string => {
  const words = exitMeanings[status];
  return words === undefined ? String(status) : `${status} (${words})`;
};

const exitMeanings: Readonly<Record<string, string>> = {
  124: 'timed out',
  127: 'command not found',
  137: 'killed, often out of memory',
  139: 'segmentation fault',
};

export function signalWords({ signal, signal_reason: reason }: Failure | Attempt): string {
  if (signal === null) return reason === null || reason === 'none' ? '' : `(${reason})`;
  return reason === null || reason === 'none' ? `signal ${signal}` : `signal ${signal} (${reason})`;
}

export const retryWords = (retries: readonly Attempt[]): string =>
  retries.length === 0
    ? ''
    : `${retries.length === 1 ? 'retried once' : `retried ${retries.length} times`}; before: ` +
      retries.map(endingWords).join('; ');

/** The marker for omitted lines. */
export function gapWords({
  omitted_lines: omitted,
  log_command: command,
  truncated,
}: Failure): string {
  const see = command === null ? '' : `, see ${command}`;
  if (omitted === null) return `[truncated: earlier lines${see}]`;
  if (omitted > 0)
    return `[truncated: ${omitted} earlier ${omitted === 1 ? 'line' : 'lines'}${see}]`;
  return truncated ? `[truncated: some lines are missing or shortened${see}]` : '';
}

/** For example, `[truncated: 7 more failed jobs]`. Empty if nothing is omitted. */
export const moreWords = (count: number, what: string): string =>
  count === 0 ? '' : `[truncated: ${count} more ${what}]`;

export function triggeredWords({ triggered_build: build }: Failure): string {
  if (typeof build !== 'object' || build === null) return '';
  const { number, web_url: address } = build as { number?: unknown; web_url?: unknown };
  const parts = [number, address].filter((part) => ['number', 'string'].includes(typeof part));
  return `triggered build ${parts.map(String).join(' ')}`.trimEnd();
}

/** A printable log line. Keeps tabs, so that columns stay aligned. */
export const printableLine = (line: string): string => cleanText(line).replaceAll('\n', ' ');

/** Ends each row with a newline. Drops empty rows. */
export const rowLines = (rows: readonly string[]): string =>
  rows
    .filter((row) => row !== '')
    .map((row) => `${row}\n`)
    .join('');

/** Joins the parts that are not empty. */
export const joined = (parts: readonly string[], separator: string): string =>
  parts.filter((part) => part !== '').join(separator);
