import type { Build } from '../api/resources/build.ts';
import { cleanLine } from '../common/untrusted-text.ts';
import { fieldOf } from '../render/cell.ts';
import { stateColor, stateGlyph } from '../render/state.ts';
import { drawTable } from '../render/table.ts';
import { widthOf, clipPainted, printablePainted, shortenStart, shorten } from '../render/width.ts';
import { currentJobs } from '../watch/changes.ts';
import { type CommandScope, scopedBuild, scopedCommand } from '../watch/command-scope.ts';
import { spanOf, buildHeading, type ScreenOptions } from './heading.ts';
import {
  failureName,
  jobLabel,
  countedClasses,
  countJobs,
  jobClass,
  jobClasses,
  type JobClass,
} from './job-words.ts';
import { waitingWords } from './next-commands.ts';
import { bare } from './prefixes.ts';
import { inRanges } from './ranges.ts';
import {
  reportResource,
  type CausePart,
  type Failure,
  type Report,
  type Attempt,
} from './report-resource.ts';
import {
  explained,
  exitWords,
  joined,
  rowLines,
  moreWords,
  printableLine,
  retryWords,
  triggeredWords,
  signalWords,
} from './words.ts';
import { wrap } from './wrap.ts';

interface TextOptions extends ScreenOptions {
  readonly build: Build;
  readonly scope: CommandScope;
  /** Returns the line with its colors. `failure` is an index. By default, lines have no colors. */
  readonly paint?: (failure: number, line: string) => string;
  readonly isWhole?: boolean;
  /** Whether all jobs of each cause are listed */
  readonly listsJobs?: boolean;
  readonly next?: readonly string[];
}

/** Ends with a newline. Its only control characters are the colors. */
export function reportText(report: Report, options: TextOptions): string {
  const { next = [] } = options;
  const head = [
    ...headingRows(report, options),
    ...revisionRow(report, options),
    ...waitingRows(report, options),
  ];
  const start = [rowLines(head), overview(report, options)];
  const end = [
    notesText(report, options),
    next.length === 0 ? '' : rowLines(['next:', ...next.map((command) => `  ${command}`)]),
  ];
  const rows = screenRows - rowsOf(joined([...start, ...end], '\n'));
  return joined([...start, ...causesText(report, rows, options), ...end], '\n');
}

const rowsOf = (text: string): number => text.split('\n').length;

function headingRows(report: Report, options: TextOptions): string[] {
  const { build } = report;
  const { build: whole, width } = options;
  const title = buildHeading({ ...build, created_at: whole.created_at }, options);
  const parts = [title, cleanLine(build.cancel_reason ?? ''), countWords(whole, report)];
  return wrap(joined(parts, ' · '), { width, indent: 2, byWords: true });
}

/** For example, `2 failed, 1 canceled (Lint), 3 not run (Image, Deploy)`, or `9 passed`. */
function countWords(build: Build, { failures }: Report): string {
  const counts = countJobs(build);
  const words = jobClasses
    .filter((name) => name !== 'passed')
    .flatMap((name) => countedClasses(counts, [name]).map((count) => count + namesOf(name)));
  return (words.length === 0 ? countedClasses(counts) : words).join(', ');

  /** The names that appear nowhere else. Only a few, because there may be hundreds of jobs. */
  function namesOf(name: JobClass): string {
    if (name !== 'canceled' && name !== 'not run') return '';
    const shown = new Set(failures.map(({ id }) => id));
    const jobs = currentJobs(build).filter(
      (job) => jobClass(job) === name && !shown.has(job.id ?? null),
    );
    const names = jobs.slice(0, 8).map((job) => shorten(jobLabel(job), longestName));
    const more = jobs.length - names.length;
    const all = [names.join(', '), ...(more > 0 ? [`${more} more`] : [])].join(' and ');
    return all === '' ? '' : ` (${all})`;
  }
}

const longestName = 30;

/** Truncates the message before the branch and the commit. A truncated branch keeps its end. */
function revisionRow({ build }: Report, { colors, width }: TextOptions): string[] {
  const { message, branch, commit } = build;
  const clean = (text: string | null | undefined): string => cleanLine(text ?? '').trim();
  const name = clean(commit?.slice(0, 10));
  const left = width - 2 - (name === '' ? 0 : widthOf(name) + 3) - leastOfMessage - 3;
  const end = shortenStart(clean(branch), Math.max(leastOfBranch, Math.min(longestName, left)));
  const revision = joined([end, name], ' · ');
  const room = width - 2 - (revision === '' ? 0 : widthOf(revision) + 3);
  const words = shorten(clean(message?.trim().split('\n', 1)[0]), Math.max(leastOfMessage, room));
  const row = joined([words, revision], ' · ');
  return row === '' ? [] : [`  ${colors.dim(shorten(row, width - 2))}`];
}

const leastOfMessage = 10;
const leastOfBranch = 8;

/** For example, `■ blocked at "Release?" → cictl job unblock web/142#gate`. */
const waitingRows = (report: Report, { build, scope, colors, width }: TextOptions): string[] =>
  waitingWords(report, build, scope).flatMap(({ step, command }) => {
    const text = `${colors.magenta('■')} blocked at "${step}"`;
    const isLong = widthOf(`${text} → ${command}`) > width;
    if (command === '') return [text];
    return isLong ? [text, `  → ${command}`] : [`${text} → ${command}`];
  });

function overview(report: Report, options: TextOptions): string {
  const { recovered, omitted } = report;
  const rows = explained(report).map(([cause, failure]) => ({
    failures: inOneRow(cause, failure, options),
  }));
  const table = rows.length > 2 ? drawTable(columns, rows, options) : '';
  const more = [moreWords(omitted.causes, 'causes')];
  if (recovered.length > 0) {
    const shown = recovered
      .slice(0, 8)
      .map(({ name, retries }) => `${cleanLine(name)} (${cleanLine(retryWords(retries))})`);
    const rest = recovered.length + omitted.recovered - shown.length;
    more.push(`Passed on a retry: ${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`);
  }
  const { width } = options;
  return table + rowLines(more.flatMap((line) => wrap(line, { width, indent: 2, byWords: true })));
}

/** Cells have little space, so prefixes of test runners and repeated spaces are dropped. */
function inOneRow({ jobs }: CausePart, failure: Failure, { build }: TextOptions): Failure {
  const name =
    jobs.length === 1 ? failureName(failure, build) : `${jobs.length} × ${namesOfJobs(jobs, 2)}`;
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
].map((column) => fieldOf(reportResource, column));

function notesText(
  { annotations, annotations_fault: error, omitted }: Report,
  { colors, width }: TextOptions,
): string {
  const more = moreWords(omitted.annotations, 'annotations');
  const notes = annotations.map(({ style, context, text }) => {
    const paint = style === 'error' ? colors.red : colors.bold;
    const title = `${paint('!')} ${colors.bold(cleanLine(style))}: annotation ${cleanLine(context ?? '')}`;
    const rows = text
      .split('\n')
      .flatMap((line) =>
        wrap(printableLogLine(printableLine(line)), { width: width - 4, indent: 2, byWords: true }),
      );
    return rowLines([
      title.trimEnd(),
      ...rows.map((row) => `  ${colors.dim('│')} ${row}`.trimEnd()),
    ]);
  });
  return [
    ...(error === null ? [] : [`${cleanLine(error)}\n`]),
    ...notes,
    ...(more === '' ? [] : [`${more}\n`]),
  ].join('\n');
}

/** If there are many causes, the first ones share `rows`. The overview has all of them. */
function causesText(report: Report, rows: number, options: TextOptions): string[] {
  const { isWhole = false, listsJobs = false } = options;
  const causes = explained(report);
  if (isWhole || listsJobs || causes.length <= fewCauses)
    return causes.map((one) => causeText(report, one, isWhole ? Infinity : mostRows, options));
  const texts: string[] = [];
  let left = rows - 2;
  for (const one of causes) {
    const count = Math.min(causes.length - texts.length, Math.floor(left / leastOfCause));
    if (count <= 0 && texts.length > 0) break;
    const share = Math.floor(left / Math.max(1, count)) - rowsAround;
    const text = causeText(report, one, Math.max(leastRows, Math.min(mostRows, share)), options);
    texts.push(text);
    left -= rowsOf(text);
  }
  const more = causes.length - texts.length;
  const { organization: org, pipeline, number } = report.build;
  const command = scopedCommand(
    `cictl builds failures ${scopedBuild({ org, pipeline, number }, options.scope)} --lines 20`,
    options.scope,
  );
  const words = `⋮ lines of ${more} more ${more === 1 ? 'cause' : 'causes'}: ${command}`;
  return more === 0 ? texts : [...texts, rowLines([options.colors.dim(words)])];
}

/** Causes that are shown with as many rows as a single one. */
const fewCauses = 3;
const screenRows = 40;
const leastRows = 3;
/** The heading of a cause, the rows that count earlier and later lines, and the blank row. */
const rowsAround = 4;
const leastOfCause = leastRows + rowsAround;

function causeText(
  report: Report,
  [{ jobs, title }, failure, index]: [CausePart, Failure, number],
  rows: number,
  options: TextOptions,
): string {
  const { colors, width, listsJobs = false, paint } = options;
  const notes = [triggeredWords(failure), failure.fault ?? ''].filter((note) => note !== '');
  const printed = failure.lines.map((line) => {
    const shown = printableLine(line);
    return printableLogLine(paint === undefined ? shown : paint(index, shown));
  });
  const room = rows - notes.length;
  const words =
    jobs.length === 1
      ? [failureName(failure, options.build), ...failureWords(failure, options.now)]
      : [`${jobs.length} × ${cleanLine(title)}`, ...groupWords(jobs, failure)];
  const widest = Math.max(...jobs.map(({ name }) => widthOf(cleanLine(name))));
  return [
    ...titleRows(failure, words, options),
    ...(listsJobs ? jobs : []).map(
      ({ id, name }) =>
        `  ${cleanLine(name)}${' '.repeat(widest - widthOf(cleanLine(name)))}  ${cleanLine(id ?? '')}`,
    ),
    ...notes.flatMap((note) =>
      wrap(cleanLine(note), { width: width - 2, byWords: true }).map((row) =>
        colors.dim(`  ${row}`),
      ),
    ),
    ...logRows(report, failure, leadOf(failure, printed, width - barWidth, room), options),
    '',
  ].join('\n');
}

function titleRows(
  failure: Failure,
  [name = '', ...words]: readonly string[],
  { colors, width }: TextOptions,
): string[] {
  const { state } = failure;
  const glyph = colors[stateColor(state, failure)](stateGlyph(state, failure));
  const line = [`${glyph} ${colors.bold(name)}`, ...words].join('  ');
  return wrap(line, { width, indent: 2, byWords: true });
}

const groupWords = (jobs: CausePart['jobs'], failure: Failure): string[] =>
  [namesOfJobs(jobs, 4), howItEnded(failure), failure.soft_failed ? 'soft' : '']
    .map((words) => cleanLine(words).trim())
    .filter((words) => words !== '');

const namesOfJobs = (jobs: CausePart['jobs'], most: number): string =>
  inRanges(
    jobs.map(({ name }) => name),
    most,
  );

/** Joins what is known: `#unit`, `exit 1`, `1m35s`, `retried once, failed both times`. */
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

/** For example, `exit 1` (if it just failed) or `timed out, signal SIGTERM (cancel)`. */
function howItEnded(job: Failure | Attempt): string {
  const { state, exit_status: status } = job;
  const signal = signalWords(job);
  const isPlain = state === 'failed' && (status !== null || signal !== '');
  const exit =
    status === null || (status === -1 && signal !== '') ? '' : `exit ${exitWords(status)}`;
  return joined([isPlain ? '' : state.replaceAll('_', ' '), exit, signal], ', ');
}

/** For example, `retried twice, failed all 3 times`, or how the earlier executions ended. */
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

/** Omitted for the command's own section, where everyone looks first. */
const sectionWords = ({ section }: Failure): string =>
  section === null || /^Running (?:\w+ )?(?:commands?|scripts?)$/i.test(section)
    ? ''
    : `in ${section}`;

function logRows(
  report: Report,
  failure: Failure,
  lead: readonly LeadLine[],
  options: TextOptions,
): string[] {
  const { colors, width } = options;
  const { lines, log_command: command, omitted_lines: omitted } = failure;
  const rows: string[] = [];
  let [next, isNamed] = [0, false];
  for (const { at, text } of lead) {
    if (gapMarker.test(text)) continue;
    gap(at, rows.length === 0 ? 'earlier ' : '');
    for (const row of wrap(text, { width: width - barWidth, indent: partIndent })) {
      rows.push(`  ${colors.dim('│')} ${row}`.trimEnd());
    }
    next = at + 1;
  }
  gap(lines.length, rows.length === 0 ? 'earlier ' : 'later ');
  return rows;

  function gap(to: number, which: string): void {
    const words = gapWords(lines.slice(next, to), which === 'earlier ' ? omitted : 0, which);
    if (words === '') return;
    rows.push(...gapRows(words, isNamed ? '' : shortCommand(command ?? '', report, options)));
    isNamed = true;
  }

  /** The command never wraps, so that it can be copied. */
  function gapRows(words: string, command: string): string[] {
    if (command === '') return [colors.dim(`  ⋮ ${words}`)];
    const whole = `  ⋮ ${words}: ${command}`;
    if (widthOf(whole) <= width) return [colors.dim(whole)];
    return [colors.dim(`  ⋮ ${words}:`), colors.dim(`    ${command}`)];
  }
}

/** For example, `31 earlier lines`. Empty if all are blank. `before` is null if unknown. */
function gapWords(left: readonly string[], before: number | null, which: string): string {
  if (before === null) return `${which}lines`;
  if (before === 0 && left.every((line) => line.trim() === '')) return '';
  const hidden = left.map((line) => Number(gapMarker.exec(line)?.[1] ?? 1));
  const count = hidden.reduce((sum, more) => sum + more, before);
  return `${count} ${which}${count === 1 ? 'line' : 'lines'}`;
}

const gapMarker = /^\[truncated: (\d+) lines?(?:, see cictl .*)?\]$/;

function shortCommand(text: string, { build }: Report, { scope }: TextOptions): string {
  const { organization: org, pipeline, number } = build;
  const ref = { org, pipeline, number };
  const whole = scopedBuild(ref, { ...scope, org: undefined });
  return cleanLine(text.replace(`${whole}#`, `${scopedBuild(ref, scope)}#`));
}

const barWidth = 4;
const partIndent = 2;
/** A standard terminal has 24 rows. Up to 9 of them are above the log, and the prompt needs one. */
const mostRows = 14;

interface LeadLine {
  readonly at: number;
  readonly text: string;
}

/** The most relevant lines that fit into `room` rows, in log order. All lines if they fit. */
function leadOf(
  { cause }: Failure,
  printed: readonly string[],
  width: number,
  room: number,
): LeadLine[] {
  const all = printed.map((text, at) => ({ at, text }));
  if (all.reduce((sum, { text }) => sum + rowsOf(text), 0) <= room) return all;
  const lead = new Map<number, string>();
  for (const [rank, at] of cause.entries()) {
    // The most relevant line may use three rows, the next few lines two each.
    const text = clipPainted(printed[at] ?? '', width * (rank === 0 ? 3 : rank < 6 ? 2 : 1));
    if (totalRows(new Map(lead).set(at, text)) <= room) lead.set(at, text);
    else if (rank > 2) break;
  }
  return inOrder(lead).map((at) => ({ at, text: lead.get(at) ?? '' }));

  function rowsOf(text: string): number {
    const beyond = widthOf(text) - width;
    return beyond > 0 ? 1 + Math.ceil(beyond / Math.max(1, width - partIndent)) : 1;
  }

  function totalRows(chosen: ReadonlyMap<number, string>): number {
    const places = inOrder(chosen);
    const gaps = places.filter((at, index) => isApart(places[index - 1], at)).length;
    return places.reduce((sum, at) => sum + rowsOf(chosen.get(at) ?? ''), gaps);
  }

  /** Omitted blank lines are not treated as a gap. */
  function isApart(before: number | undefined, at: number): boolean {
    return before !== undefined && printed.slice(before + 1, at).some((text) => text.trim() !== '');
  }
}

const inOrder = (chosen: ReadonlyMap<number, string>): number[] =>
  [...chosen.keys()].sort((a, b) => a - b);

const printableLogLine = (line: string): string => printablePainted(untab(line));

/** Replaces tabs with spaces, because text before the line would shift the tab stops. */
function untab(line: string): string {
  let shown = '';
  let column = 0;
  for (const [at, piece] of line.split('\t').entries()) {
    const blanks = at === 0 ? 0 : 8 - (column % 8);
    shown += ' '.repeat(blanks) + piece;
    column += blanks + widthOf(piece);
  }
  return shown;
}
