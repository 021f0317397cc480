/** What failed, how, and the lines of its log that say why. */
import type { Build } from '../api/resources/build.ts';
import { stateColor, stateGlyph } from '../render/state.ts';
import { cleanLine } from '../common/untrusted-text.ts';
import { widthOf } from '../render/width.ts';
import type { CommandScope } from '../watch/command-scope.ts';
import { failureWords } from './failure-words.ts';
import type { ScreenOptions } from './job-table.ts';
import { failureName } from './failure-name.ts';
import { leadOf, partIndent, type LeadLine } from './lead.ts';
import { printableLogLine } from './printable-log-line.ts';
import { shortCommand } from './report-head.ts';
import type { Failure, Report } from './report-resource.ts';
import { printableLine, triggeredWords } from './words.ts';
import { wrap } from './wrap.ts';

export interface FailureOptions extends ScreenOptions {
  readonly report: Report;
  readonly build: Build;
  readonly scope: CommandScope;
  /** A line of the log of a failure, by its place, with its colours. Default: without. */
  readonly paint?: (failure: number, line: string) => string;
  /** All lines of the report, not only those that say most. Default false. */
  readonly isWhole?: boolean;
}

/** Ends with an empty line. */
export function failureText(failure: Failure, at: number, options: FailureOptions): string {
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

/** The lines with a row for each gap; the first one names the command that prints them all. */
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

/** `31 earlier lines`; nothing where there are none but blank ones. `before`: null where unknown. */
function gapWords(left: readonly string[], before: number | null, which: string): string {
  if (before === null) return `${which}lines`;
  if (before === 0 && left.every((line) => line.trim() === '')) return '';
  const count = before + left.reduce((sum, line) => sum + linesOf(line), 0);
  return `${count} ${which}${count === 1 ? 'line' : 'lines'}`;
}

const mark = /^\[truncated: (\d+) lines?(?:, see cictl .*)?\]$/;
const isMark = (line: string): boolean => mark.test(line);

/** How many lines of the log a line of the report stands for. */
const linesOf = (line: string): number => Number(mark.exec(line)?.[1] ?? 1);

/** A command is never broken: it is to be copied. */
function gapRows(lines: string, command: string, options: FailureOptions): string[] {
  const { colors, width, report, scope } = options;
  const shown = cleanLine(shortCommand(command, report, scope));
  if (shown === '') return [colors.dim(`  ⋮ ${lines}`)];
  const whole = `  ⋮ ${lines}: ${shown}`;
  if (widthOf(whole) <= width) return [colors.dim(whole)];
  return [colors.dim(`  ⋮ ${lines}:`), colors.dim(`    ${shown}`)];
}

/** The bar with the blanks around it. */
const barWidth = 4;

/** Parts of a line that is too long stand below it, set in. */
const barred = (line: string, { colors, width }: FailureOptions): string[] =>
  wrap(line, { width: width - barWidth, indent: partIndent }).map((row) =>
    `  ${colors.dim('│')} ${row}`.trimEnd(),
  );
