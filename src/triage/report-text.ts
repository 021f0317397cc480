/** The report for people, in a terminal: what failed comes first, the logs after it. */
import type { Colors } from '../render/colors.ts';
import { stateColor, stateLabel } from '../render/state.ts';
import { drawTable } from '../render/table.ts';
import { cleanLine } from '../render/text.ts';
import { fieldOf } from '../render/cell.ts';
import { shorten } from '../render/width.ts';
import { bare } from './bare.ts';
import { leadOf } from './lead.ts';
import {
  reportResource as resource,
  type Failure,
  type Note,
  type Report,
} from './report-resource.ts';
import {
  buildWords,
  countWords,
  endingWords,
  gapWords,
  moreWords,
  retryWords,
  triggeredWords,
  printableLine,
} from './words.ts';

export interface TextOptions {
  readonly colors: Colors;
  readonly width: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Ends with a newline; holds no control characters but those of `colors`. */
export const reportText = (report: Report, options: TextOptions): string =>
  [
    heading(report, options),
    overview(report, options),
    ...report.failures.map((failure) => failureText(failure, options)),
    notesText(report, options),
  ]
    .filter((part) => part !== '')
    .join('\n');

function heading(report: Report, { colors, width }: TextOptions): string {
  const { build } = report;
  const state = colors[stateColor(build.state)](stateLabel(build.state));
  const available = width - stateLabel(build.state).length - buildWords(report).length - 4;
  const message = shorten(cleanLine(build.message ?? ''), Math.max(20, available));
  const where = [build.branch, build.commit?.slice(0, 10), build.cancel_reason]
    .map((text) => cleanLine(text ?? ''))
    .filter((text) => text !== '');
  const first = `${state}  ${colors.bold(cleanLine(buildWords(report)))}  ${message}`.trimEnd();
  return `${first}\n${colors.dim([...where, countWords(report)].join('  '))}\n`;
}

/** Everything that failed, a line each, with how it ended. */
function overview(report: Report, options: TextOptions): string {
  const { failures, followed, recovered, omitted } = report;
  const rows = failures.map((failure) => ({ failures: withShortCause(failure) }));
  const lines = [
    moreWords(omitted.failures, 'failed jobs'),
    listed('Followed', followed, omitted.followed, ({ state }) => state),
    listed('Passed on a retry', recovered, omitted.recovered, ({ retries }) => retryWords(retries)),
  ].filter((line) => line !== '');
  const table = rows.length > 0 ? drawTable(columns, rows, options) : '';
  return table + lines.map((line) => `${line}\n`).join('');
}

/** Without what runners put before it and the room between its words: a cell has little. */
function withShortCause(failure: Failure): Failure {
  const words = bare(failure.last_line ?? '')
    .replace(/\s+/g, ' ')
    .trim();
  return words === '' ? failure : { ...failure, last_line: words };
}

const columns = [
  { path: 'failures.state', heading: 'STATE' },
  { path: 'failures.name', heading: 'NAME' },
  { path: 'failures.exit_status', heading: 'EXIT' },
  { path: 'failures.section', heading: 'SECTION' },
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

function failureText(failure: Failure, { colors, width }: TextOptions): string {
  const { name, state, section } = failure;
  const glyph = colors[stateColor(state, failure)]('✗');
  const where = section === null ? '' : `, in ${cleanLine(section)}`;
  const title = `${glyph} ${colors.bold(cleanLine(name))}: ${cleanLine(endingWords(failure))}${where}`;
  const notes = [retryWords(failure.retries), triggeredWords(failure), failure.fault ?? ''].filter(
    (note) => note !== '',
  );
  const gap = gapWords(failure);
  // The bar and its spaces.
  const lead = leadOf(failure, width - 4, notes.length);
  return [
    title,
    ...notes.map((note) => colors.dim(`  ${cleanLine(note)}`)),
    ...lead.map((line) => (line === '' ? colors.dim('  ⋮') : barred(line, colors))),
    ...(lead.length === 0 ? [] : ['', colors.dim('  from the log:')]),
    ...(gap === '' ? [] : [colors.dim(`  ${gap}`)]),
    ...failure.lines.map((line) => barred(printableLine(line), colors)),
    '',
  ].join('\n');
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

function noteText({ style, context, text }: Note, { colors }: TextOptions): string {
  const paint = style === 'error' ? colors.red : colors.bold;
  const title = `${paint('!')} ${colors.bold(cleanLine(style))}: annotation ${cleanLine(context ?? '')}`;
  const lines = text.split('\n').map((line) => barred(printableLine(line), colors));
  return [title.trimEnd(), ...lines, ''].join('\n');
}

const barred = (line: string, { dim }: Colors): string => `  ${dim('│')} ${line}`.trimEnd();
