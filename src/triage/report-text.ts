import { drawTable } from '../render/table.ts';
import { cleanLine } from '../common/untrusted-text.ts';
import { fieldOf } from '../render/cell.ts';
import { bare } from './signs.ts';
import {
  failureName,
  jobLabel,
  countedClasses,
  countJobs,
  jobClass,
  jobClasses,
  type JobClass,
} from './job-words.ts';
import {
  reportResource as resource,
  type Failure,
  type Note,
  type Report,
  type Attempt,
} from './report-resource.ts';
import { moreWords, printableLine, retryWords, triggeredWords, signalWords } from './words.ts';
import { wrap } from './wrap.ts';
import type { Build } from '../api/resources/build.ts';
import { stateColor, stateGlyph } from '../render/state.ts';
import { widthOf, clipPainted, printablePainted, shortenStart, shorten } from '../render/width.ts';
import { type CommandScope, scopedBuild } from '../watch/command-scope.ts';
import type { ScreenOptions } from './job-table.ts';
import { spanOf, buildHeading } from './heading.ts';
import { currentJobs } from '../watch/changes.ts';
import { unblockCommand, waitingSteps } from './next-commands.ts';

interface TextOptions extends HeadOptions, Pick<FailureOptions, 'paint' | 'isWhole'> {
  readonly next?: readonly string[];
}

/**
 * The report for a terminal: failures first, then the logs. Ends with a newline; contains no
 * control characters except those of `colors` and the colors of logs.
 */
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

/** A table of the failures if there are many, then what is not shown below. */
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

/** So few failures are easily found without a table. */
const enoughToRead = 2;

/** A cell has little space: drops prefixes of test runners and repeated spaces from the cause. */
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

interface FailureOptions extends ScreenOptions {
  readonly report: Report;
  readonly build: Build;
  readonly scope: CommandScope;
  /** A log line of a failure (given by its index) with its colors. Default: without colors. */
  readonly paint?: (failure: number, line: string) => string;
  /** Print all lines of the report, not only the most relevant ones. */
  readonly isWhole?: boolean;
}

/** Ends with an empty line. */
function failureText(failure: Failure, at: number, options: FailureOptions): string {
  const { colors, width, isWhole = false } = options;
  const notes = [triggeredWords(failure), failure.fault ?? ''].filter((note) => note !== '');
  const printed = printedLines(failure, at, options);
  const all = printed.map((text, place) => ({ at: place, text }));
  const lead = isWhole ? all : leadOf(failure, printed, width - barWidth, notes.length);
  return [
    ...titleRows(failure, options),
    ...notes.flatMap((note) =>
      wrap(cleanLine(note), { width: width - 2, byWords: true }).map((row) =>
        colors.dim(`  ${row}`),
      ),
    ),
    ...logRows(failure, lead, options),
    '',
  ].join('\n');
}

function printedLines(failure: Failure, at: number, { paint }: FailureOptions): string[] {
  return failure.lines.map((line) => {
    const shown = printableLine(line);
    return printableLogLine(paint === undefined ? shown : paint(at, shown));
  });
}

function titleRows(failure: Failure, { colors, width, now, build }: FailureOptions): string[] {
  const { state } = failure;
  const glyph = stateGlyph(state, failure);
  const title = `${colors[stateColor(state, failure)](glyph)} ${colors.bold(failureName(failure, build))}`;
  const line = [title, ...failureWords(failure, now)].join('  ');
  return wrap(line, { width, indent: 2, byWords: true });
}

/** The lines with a row for each gap; the first gap names the command that prints the whole log. */
function logRows(failure: Failure, lead: readonly LeadLine[], options: FailureOptions): string[] {
  const { lines, log_command: command, omitted_lines: omitted } = failure;
  const rows: string[] = [];
  let [next, isNamed] = [0, false];
  for (const { at, text } of lead) {
    if (isMark(text)) continue;
    gap(at, rows.length === 0 ? 'earlier ' : '');
    rows.push(...barred(text, options));
    next = at + 1;
  }
  gap(lines.length, rows.length === 0 ? 'earlier ' : 'later ');
  return rows;

  function gap(to: number, which: string): void {
    const words = gapWords(lines.slice(next, to), which === 'earlier ' ? omitted : 0, which);
    if (words === '') return;
    rows.push(...gapRows(words, isNamed ? '' : (command ?? ''), options));
    isNamed = true;
  }
}

/** `31 earlier lines`; empty if all of them are blank. `before`: null if unknown. */
function gapWords(left: readonly string[], before: number | null, which: string): string {
  if (before === null) return `${which}lines`;
  if (before === 0 && left.every((line) => line.trim() === '')) return '';
  const count = before + left.reduce((sum, line) => sum + linesOf(line), 0);
  return `${count} ${which}${count === 1 ? 'line' : 'lines'}`;
}

const mark = /^\[truncated: (\d+) lines?(?:, see cictl .*)?\]$/;
const isMark = (line: string): boolean => mark.test(line);

/** The number of log lines that a line of the report stands for. */
const linesOf = (line: string): number => Number(mark.exec(line)?.[1] ?? 1);

/** The command is never wrapped, so that it can be copied. */
function gapRows(lines: string, command: string, options: FailureOptions): string[] {
  const { colors, width, report, scope } = options;
  const shown = cleanLine(shortCommand(command, report, scope));
  if (shown === '') return [colors.dim(`  ⋮ ${lines}`)];
  const whole = `  ⋮ ${lines}: ${shown}`;
  if (widthOf(whole) <= width) return [colors.dim(whole)];
  return [colors.dim(`  ⋮ ${lines}:`), colors.dim(`    ${shown}`)];
}

/** The width of the bar and the spaces around it. */
const barWidth = 4;

const barred = (line: string, { colors, width }: FailureOptions): string[] =>
  wrap(line, { width: width - barWidth, indent: partIndent }).map((row) =>
    `  ${colors.dim('│')} ${row}`.trimEnd(),
  );

/** `#unit`, `exit 1`, `1m35s`, `retried once, failed both times`, if known, in this order. */
const failureWords = (failure: Failure, now: number): string[] =>
  [
    failure.step_key === null ? '' : `#${failure.step_key}`,
    howItEnded(failure),
    failure.soft_failed ? 'soft' : '',
    spanOf(failure, now),
    retriedWords(failure),
    sectionWords(failure),
  ]
    .map((words) => cleanLine(words).trim())
    .filter((words) => words !== '');

/**
 * `exit 1`; `timed out, signal SIGTERM (cancel)`. For a plain failure the exit status is enough.
 */
function howItEnded(job: Failure | Attempt): string {
  const { state, exit_status: status } = job;
  const signal = signalWords(job);
  const isPlain = state === 'failed' && (status !== null || signal !== '');
  const exit = status === null || (status === -1 && signal !== '') ? '' : `exit ${String(status)}`;
  return [isPlain ? '' : state.replaceAll('_', ' '), exit, signal]
    .filter((words) => words !== '')
    .join(', ');
}

/** `retried twice, failed all 3 times`, or how the earlier executions ended. */
function retriedWords(failure: Failure): string {
  const { retries } = failure;
  if (retries.length === 0) return '';
  const often = ['once', 'twice'][retries.length - 1] ?? `${retries.length} times`;
  const before = retries.map(howItEnded);
  const isSame = before.every((words) => words === howItEnded(failure));
  const all = retries.length === 1 ? 'both times' : `all ${retries.length + 1} times`;
  return isSame && failure.state === 'failed'
    ? `retried ${often}, failed ${all}`
    : `retried ${often}, before: ${before.join('; ')}`;
}

/** Omitted for the section of the command itself, which is where everybody looks first. */
const sectionWords = ({ section }: Failure): string =>
  section === null || /^Running (?:\w+ )?(?:commands?|scripts?)$/i.test(section)
    ? ''
    : `in ${section}`;

/** Indentation of continuation rows. */
const partIndent = 2;

/** A terminal has 24 rows; up to 9 are above the log, and the prompt needs one. */
const mostRows = 14;

interface LeadLine {
  readonly at: number;
  readonly text: string;
}

/**
 * The most relevant lines that fit on the first screen, in log order; all lines if they fit.
 * `printed`: the lines of the failure as they are shown, with colors.
 */
function leadOf(
  { cause }: Pick<Failure, 'cause'>,
  printed: readonly string[],
  width: number,
  notes: number,
): LeadLine[] {
  const rowsOf = (text: string): number => {
    const beyond = widthOf(text) - width;
    return beyond > 0 ? 1 + Math.ceil(beyond / Math.max(1, width - partIndent)) : 1;
  };
  const room = mostRows - notes;
  const cut = new Map<number, string>();
  for (const [rank, at] of cause.entries()) {
    const text = shortened(printed[at] ?? '', width, rank);
    const next = new Map(cut).set(at, text);
    if (rows(next) <= room) cut.set(at, text);
    else if (rank > 2) break;
  }
  const all = printed.map((text, at) => ({ at, text }));
  if (all.reduce((sum, { text }) => sum + rowsOf(text), 0) <= room) return all;
  return inOrder(cut).map((at) => ({ at, text: cut.get(at) ?? '' }));

  function rows(chosen: ReadonlyMap<number, string>): number {
    const places = inOrder(chosen);
    const gaps = places.filter((at, index) => isApart(places[index - 1], at)).length;
    return places.reduce((sum, at) => sum + rowsOf(chosen.get(at) ?? ''), gaps);
  }

  /** Blank lines do not count as a gap. */
  function isApart(before: number | undefined, at: number): boolean {
    return before !== undefined && printed.slice(before + 1, at).some((text) => text.trim() !== '');
  }
}

const inOrder = (chosen: ReadonlyMap<number, string>): number[] =>
  [...chosen.keys()].sort((a, b) => a - b);

/** The most relevant line may take three rows, the next ones two. */
const shortened = (text: string, width: number, rank: number): string =>
  clipPainted(text, width * (rank === 0 ? 3 : rank < 6 ? 2 : 1));

/** A log line without control characters except colors. */
const printableLogLine = (line: string): string => printablePainted(untab(line));

/** Replaces tabs by spaces, because the text before the line would shift the tab stops. */
function untab(line: string): string {
  if (!line.includes('\t')) return line;
  let shown = '';
  let column = 0;
  for (const [at, piece] of line.split('\t').entries()) {
    const blanks = at === 0 ? 0 : tabWidth - (column % tabWidth);
    shown += ' '.repeat(blanks) + piece;
    column += blanks + widthOf(piece);
  }
  return shown;
}

const tabWidth = 8;

interface HeadOptions extends ScreenOptions {
  readonly build: Build;
  readonly scope: CommandScope;
}

const reportHead = (report: Report, options: HeadOptions): string[] => [
  ...headingRows(report, options),
  ...revisionRow(report, options),
  ...waitingRows(report, options),
];

function headingRows(
  { build }: Report,
  { build: whole, width, ...options }: HeadOptions,
): string[] {
  const title = buildHeading({ ...build, created_at: whole.created_at }, options);
  const parts = [title, cleanLine(build.cancel_reason ?? ''), countWords(whole)];
  const line = parts.filter((part) => part !== '').join(' · ');
  return wrap(line, { width, indent: 2, byWords: true });
}

/** `2 failed, 1 soft, 3 not run (Image, Deploy)`; for a build without failures, what passed. */
function countWords(build: Build): string {
  const counts = countJobs(build);
  const notPassed = jobClasses.filter((name) => name !== 'passed');
  const words = countedClasses(counts, notPassed);
  if (words.length === 0) return countedClasses(counts).join(', ');
  const names = namesOf(build, 'not run');
  return words.join(', ') + (names === '' ? '' : ` (${names})`);
}

/** Names only a few jobs: there may be hundreds. */
function namesOf(build: Build, wanted: JobClass): string {
  const jobs = currentJobs(build).filter((job) => jobClass(job) === wanted);
  const names = jobs.slice(0, mostNames).map((job) => shorten(jobLabel(job), longestName));
  const more = jobs.length - names.length;
  return [names.join(', '), ...(more > 0 ? [`${more} more`] : [])].join(' and ');
}

const mostNames = 8;
const longestName = 30;

/** The message is truncated before branch and commit; of a branch the end is kept. */
function revisionRow({ build }: Report, { colors, width }: HeadOptions): string[] {
  const { message, branch, commit } = build;
  const clean = (text: string | null | undefined): string => cleanLine(text ?? '').trim();
  const name = clean(commit?.slice(0, 10));
  const left = width - 2 - (name === '' ? 0 : widthOf(name) + 3) - leastOfMessage - 3;
  const end = shortenStart(clean(branch), Math.max(leastOfBranch, Math.min(longestName, left)));
  const revision = [end, name];
  const behind = revision.filter((part) => part !== '').join(' · ');
  const room = width - 2 - (behind === '' ? 0 : widthOf(behind) + 3);
  const words = shorten(clean(message?.trim().split('\n', 1)[0]), Math.max(leastOfMessage, room));
  const row = [words, behind].filter((part) => part !== '').join(' · ');
  return row === '' ? [] : [`  ${colors.dim(shorten(row, width - 2))}`];
}

const leastOfMessage = 10;
const leastOfBranch = 8;

/** `■ waits at "Release?" → cictl job unblock web/142#gate`. */
const waitingRows = (report: Report, { build, scope, colors, width }: HeadOptions): string[] =>
  waitingWords(report, build, scope).flatMap(({ step, command }) => {
    const text = `${colors.magenta('■')} waits at "${step}"`;
    const isLong = widthOf(`${text} → ${command}`) > width;
    if (command === '') return [text];
    return isLong ? [text, `  → ${command}`] : [`${text} → ${command}`];
  });

/** The block steps at which a build waits, with the commands that unblock them. */
export const waitingWords = (
  { build: { organization: org, pipeline, number } }: Report,
  build: Build,
  scope: CommandScope,
): { readonly step: string; readonly command: string }[] =>
  waitingSteps(build).map((step) => ({
    step: jobLabel(step),
    command: unblockCommand({ org, pipeline, number }, build, step, scope) ?? '',
  }));

/** Shortens a command of the report if the organization is known. */
function shortCommand(text: string, { build }: Report, scope: CommandScope): string {
  const { organization: org, pipeline, number } = build;
  const ref = { org, pipeline, number };
  const whole = scopedBuild(ref, { ...scope, org: undefined });
  return text.replace(`${whole}#`, `${scopedBuild(ref, scope)}#`);
}
