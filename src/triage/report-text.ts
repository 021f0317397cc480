/** The report for people, in a terminal: what failed comes first, the logs after it. */
import { drawTable } from '../render/table.ts';
import { cleanLine } from '../common/untrusted-text.ts';
import { fieldOf } from '../render/cell.ts';
import { bare } from './bare.ts';
import { failureName } from './failure-name.ts';
import { failureText, type FailureOptions } from './failure-text.ts';
import { printableLogLine } from './printable-log-line.ts';
import { reportHead, type HeadOptions } from './report-head.ts';
import {
  reportResource as resource,
  type Failure,
  type Note,
  type Report,
} from './report-resource.ts';
import { moreWords, printableLine, retryWords } from './words.ts';
import { wrap } from './wrap.ts';

export interface TextOptions extends HeadOptions, Pick<FailureOptions, 'paint' | 'isWhole'> {
  /** Commands to try next; none by default. */
  readonly next?: readonly string[];
}

/** Ends with a newline; holds no control characters but those of `colors` and the colours of logs. */
export const reportText = (report: Report, options: TextOptions): string =>
  [
    lines(reportHead(report, options)),
    overview(report, options),
    ...report.failures.map((failure, at) => failureText(failure, at, { ...options, report })),
    notesText(report, options),
    nextText(options),
  ]
    .filter((part) => part !== '')
    .join('\n');

/** Where many failed, each in a line; then what is not shown below. */
function overview(report: Report, options: TextOptions): string {
  const { failures, recovered, omitted } = report;
  const rows = failures.map((failure) => ({ failures: inOneRow(failure, options) }));
  const table = rows.length > enoughToRead ? drawTable(columns, rows, options) : '';
  const more = [
    moreWords(omitted.failures, 'failed jobs'),
    listed('Passed on a retry', recovered, omitted.recovered, ({ retries }) => retryWords(retries)),
  ].flatMap((line) => wrap(line, { width: options.width, indent: 2, byWords: true }));
  return table + lines(more);
}

/** So many are found by their titles. */
const enoughToRead = 2;

/** Its cause without what runners put before it and the room between its words: a cell has little. */
function inOneRow(failure: Failure, { build }: TextOptions): Failure {
  const name = failureName(failure, build);
  const words = bare(failure.last_line ?? '')
    .replace(/\s+/g, ' ')
    .trim();
  return { ...failure, name, last_line: words === '' ? failure.last_line : words };
}

const columns = [
  { path: 'failures.state', heading: 'STATE' },
  { path: 'failures.name', heading: 'NAME' },
  { path: 'failures.exit_status', heading: 'EXIT' },
  { path: 'failures.last_line', heading: 'CAUSE' },
].map((column) => fieldOf(resource, column));

/** A few of them by name; there may be hundreds. */
function listed<T extends { readonly name: string }>(
  what: string,
  jobs: readonly T[],
  omitted: number,
  say: (job: T) => string,
): string {
  if (jobs.length === 0) return '';
  const shown = jobs.slice(0, 8).map((job) => `${cleanLine(job.name)} (${cleanLine(say(job))})`);
  const more = jobs.length + omitted - shown.length;
  return `${what}: ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function notesText(
  { annotations, annotations_fault: error, omitted }: Report,
  options: TextOptions,
): string {
  const more = moreWords(omitted.annotations, 'annotations');
  return [
    ...(error === null ? [] : [`${cleanLine(error)}\n`]),
    ...annotations.map((note) => noteText(note, options)),
    ...(more === '' ? [] : [`${more}\n`]),
  ].join('\n');
}

function noteText({ style, context, text }: Note, { colors, width }: TextOptions): string {
  const paint = style === 'error' ? colors.red : colors.bold;
  const title = `${paint('!')} ${colors.bold(cleanLine(style))}: annotation ${cleanLine(context ?? '')}`;
  const rows = text
    .split('\n')
    .flatMap((line) =>
      wrap(printableLogLine(printableLine(line)), { width: width - 4, indent: 2, byWords: true }),
    );
  return lines([title.trimEnd(), ...rows.map((row) => `  ${colors.dim('│')} ${row}`.trimEnd())]);
}

const nextText = ({ next = [] }: TextOptions): string =>
  next.length === 0 ? '' : lines(['next:', ...next.map((command) => `  ${command}`)]);

const lines = (rows: readonly string[]): string =>
  rows
    .filter((row) => row !== '')
    .map((row) => `${row}\n`)
    .join('');
