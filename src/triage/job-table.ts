import type { Job } from '../api/resources/job.ts';
import type { Colors } from '../render/colors.ts';
import { fitWidths } from '../render/fit.ts';
import { drawGrid, type GridCell } from '../render/table.ts';
import { cleanLine } from '../common/untrusted-text.ts';
import { shorten, widthOf } from '../render/width.ts';
import { jobClass, type JobClass, jobLabel } from './job-words.ts';
import { jobTitleLine } from '../watch/job-title.ts';
import { wrap } from './wrap.ts';
import { stateColor, stateGlyph, stateText } from '../render/state.ts';
import { spanOf } from './heading.ts';

export interface ScreenOptions {
  readonly colors: Colors;
  /** Columns of the terminal; `Infinity` if there is no limit. */
  readonly width: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * The jobs of a build as rows; jobs that never ran are only listed by name below the table. Ends
 * with a newline; empty if there are no jobs.
 */
export function jobTable(jobs: readonly Job[], options: ScreenOptions): string {
  const shown = jobs.filter((job) => !isNamedOnly(job));
  const groups = groupsOf(jobs.filter(isNamedOnly));
  const states = [...shown.map((job) => labelOf(job).word), ...groups.keys()];
  const stateWidth = Math.max('STATE'.length, ...states.map(widthOf));
  const rows = shown.length === 0 ? '' : drawRows(shown, stateWidth, options);
  const rest = [...groups].map(([word, names]) => groupLine(word, names, stateWidth, options));
  return rows + rest.join('');
}

const isNamedOnly = (job: Job): boolean => namedOnly.has(jobClass(job)) && !job.started_at;
const namedOnly = new Set<JobClass>(['waiting', 'skipped', 'not run']);

function groupsOf(jobs: readonly Job[]): Map<string, string[]> {
  const groups = new Map<string, Job[]>();
  for (const job of jobs) {
    const known = jobClass(job);
    const word = known === 'waiting' ? labelOf(job).word : known;
    groups.set(word, [...(groups.get(word) ?? []), job]);
  }
  return new Map([...groups].map(([word, all]) => [word, namesOf(all)]));
}

/** Jobs of one step are counted: `End to end (7 jobs)`. */
function namesOf(jobs: readonly Job[]): string[] {
  const titles = jobs.map((job) => cleanLine(jobTitleLine(job)).trim());
  return [...new Set(titles)].map((title) => {
    const same = jobs.filter((_, at) => titles[at] === title);
    const [first] = same;
    return same.length === 1 && first !== undefined
      ? jobLabel(first)
      : `${title} (${same.length} jobs)`;
  });
}

function groupLine(
  word: string,
  names: readonly string[],
  stateWidth: number,
  { width }: ScreenOptions,
): string {
  const glyph = word === 'skipped' || word === 'not run' ? '–' : '○';
  const indent = stateWidth + 4;
  const rows = wrap(names.join(', '), { width: Math.max(20, width - indent), byWords: true });
  const text = rows.join(`\n${' '.repeat(indent)}`);
  return `${glyph} ${word.padEnd(stateWidth)}  ${text}\n`;
}

function drawRows(jobs: readonly Job[], stateWidth: number, options: ScreenOptions): string {
  const filled = columnsOf(jobs, stateWidth, options).filter(({ isEmpty }) => !isEmpty);
  const { columns, widths } = fit(filled, options.width);
  const kept = columns.flatMap((column, at) => {
    const width = widths[at];
    return width === undefined ? [] : [column.cells.map((cell) => fitted(cell, column, width))];
  });
  return drawGrid((kept[0] ?? []).map((_, row) => kept.map((cells) => cells[row] ?? { text: '' })));
}

/** Drops columns while names would be truncated beyond recognition. */
function fit(columns: readonly Column[], width: number) {
  const widths = fitWidths(columns, width, 2);
  const at = columns.findIndex(({ flexible }) => flexible);
  const least = Math.min(leastOfName, columns[at]?.natural ?? 0);
  const last = Math.max(...columns.map(({ priority }) => priority));
  if ((widths[at] ?? 0) >= least || last < 2) return { columns, widths };
  return fit(
    columns.filter(({ priority }) => priority !== last),
    width,
  );
}

const leastOfName = 16;

function fitted(cell: LabelParts, { toRight }: Column, width: number): GridCell {
  const text = textWithin(cell, width);
  const blanks = ' '.repeat(toRight ? width - widthOf(text) : 0);
  return { ...(cell.paint && { paint: cell.paint }), text: blanks + text };
}

/** Drops `more` first, then the end of the text. */
function textWithin({ text, part = '', more = '' }: LabelParts, width: number): string {
  const whole = [text + part + more, text + part].find((one) => widthOf(one) <= width);
  return whole ?? shorten(text, Math.max(1, width - widthOf(part))) + part;
}

interface LabelParts extends Pick<GridCell, 'text' | 'paint'> {
  /** Never truncated: distinguishes parallel jobs of a step. */
  readonly part?: string;
  /** Omitted if it does not fit. */
  readonly more?: string;
}

interface Column {
  /** The heading first. */
  readonly cells: readonly LabelParts[];
  readonly isEmpty: boolean;
  readonly natural: number;
  readonly flexible: boolean;
  readonly priority: number;
  readonly toRight: boolean;
}

function columnsOf(
  jobs: readonly Job[],
  stateWidth: number,
  { colors, now }: ScreenOptions,
): Column[] {
  return [
    stateColumn(jobs, stateWidth, colors),
    nameColumn(jobs, column('NAME', 1, nameOf)),
    column('KEY', 4, ({ step_key: key }) => cleanLine(key ?? '')),
    { ...column('EXIT', 3, exitOf), toRight: true },
    { ...column('TOOK', 2, (job) => spanOf(job, now)), toRight: true },
  ];

  function column(heading: string, priority: number, textOf: (job: Job) => string): Column {
    const texts = jobs.map(textOf);
    return {
      cells: [{ text: heading, paint: colors.bold }, ...texts.map((text) => ({ text }))],
      isEmpty: texts.every((text) => text === ''),
      natural: Math.max(...[heading, ...texts].map(widthOf)),
      flexible: false,
      priority,
      toRight: false,
    };
  }
}

/** As wide as the states of the lines below the table, too. */
function stateColumn(jobs: readonly Job[], stateWidth: number, colors: Colors): Column {
  const heading = '  STATE'.padEnd(stateWidth + 2);
  const states = jobs.map((job): LabelParts => {
    const { glyph, word } = labelOf(job);
    const paint = colors[stateColor(job.state ?? 'unknown', marks(job))];
    return { text: `${glyph} ${word}`, paint };
  });
  return {
    cells: [{ text: heading, paint: colors.bold }, ...states],
    ...{ isEmpty: false, natural: widthOf(heading), flexible: false, priority: 0, toRight: false },
  };
}

const nameColumn = (jobs: readonly Job[], column: Column): Column => ({
  ...column,
  cells: column.cells.map((cell, at): LabelParts => {
    const job = at === 0 ? undefined : jobs[at - 1];
    if (job === undefined) return cell;
    const title = cleanLine(jobTitleLine(job)).trim();
    return { text: title, part: jobLabel(job).slice(title.length), more: retriesOf(job) };
  }),
  flexible: true,
});

const nameOf = (job: Job): string => jobLabel(job) + retriesOf(job);

function retriesOf({ retried, retries_count: count }: Job): string {
  if (retried === true) return ' (retried)';
  if (!count) return '';
  return ` (${count === 1 ? 'retried once' : `retried ${count} times`})`;
}

const exitOf = ({ exit_status: status }: Job): string =>
  status === null || status === undefined ? '' : String(status);

/** `blocked` of a step is not passed on: a block step has not failed. */
const marks = ({ soft_failed }: Job) => ({ soft_failed });

const labelOf = (job: Job) => ({
  glyph: stateGlyph(job.state ?? 'unknown', marks(job)),
  word: stateText(job.state ?? 'unknown', marks(job)),
});
