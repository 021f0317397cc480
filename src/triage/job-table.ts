/** The jobs of a build as rows; of those that never ran, only the names. */
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
  /** Columns of the terminal; `Infinity` where there is no limit. */
  readonly width: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Ends with a newline; nothing where there are no jobs. */
export function jobTable(jobs: readonly Job[], options: ScreenOptions): string {
  const shown = jobs.filter((job) => !isNamedOnly(job));
  const groups = groupsOf(jobs.filter(isNamedOnly));
  const states = [...shown.map((job) => labelOf(job).word), ...groups.keys()];
  const stateWidth = Math.max('STATE'.length, ...states.map(widthOf));
  const rows = shown.length === 0 ? '' : drawRows(shown, stateWidth, options);
  const rest = [...groups].map(([word, names]) => groupLine(word, names, stateWidth, options));
  return rows + rest.join('');
}

/** Nothing is known of it but that it is there. */
const isNamedOnly = (job: Job): boolean => namedOnly.has(jobClass(job)) && !job.started_at;
const namedOnly = new Set<JobClass>(['waiting', 'skipped', 'not run']);

/** The names of jobs below the word for what they have in common. */
function groupsOf(jobs: readonly Job[]): Map<string, string[]> {
  const groups = new Map<string, Job[]>();
  for (const job of jobs) {
    const known = jobClass(job);
    const word = known === 'waiting' ? labelOf(job).word : known;
    groups.set(word, [...(groups.get(word) ?? []), job]);
  }
  return new Map([...groups].map(([word, all]) => [word, namesOf(all)]));
}

/** The jobs of one step by their number: `End to end (7 jobs)`. */
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

/** Fewer columns where the names would be too short to be known again. */
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

/** What may be missing goes first, then the end of the text. */
function textWithin({ text, part = '', more = '' }: LabelParts, width: number): string {
  const whole = [text + part + more, text + part].find((one) => widthOf(one) <= width);
  return whole ?? shorten(text, Math.max(1, width - widthOf(part))) + part;
}

// The columns of the table of a build's jobs.

/** The text of a cell, in parts of which the last ones give way first. */
interface LabelParts extends Pick<GridCell, 'text' | 'paint'> {
  /** Not shortened: which of the jobs of a step it is. */
  readonly part?: string;
  /** Not shown where there is no room for it. */
  readonly more?: string;
}

interface Column {
  /** The heading first. */
  readonly cells: readonly LabelParts[];
  readonly isEmpty: boolean;
  /** Columns of the terminal that its widest text takes. */
  readonly natural: number;
  /** Its texts may be shortened. */
  readonly flexible: boolean;
  /** The higher it is, the earlier the column gives way. */
  readonly priority: number;
  readonly toRight: boolean;
}

/**
 * The state, the name, the key, the exit status and the span of each job; by their priority what happened comes first, to
 * what, for how long, and how it ended: the key goes first.
 */
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

/** Names, of which the title gives way first. */
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

/** What retries were made of it, behind its name. */
function retriesOf({ retried, retries_count: count }: Job): string {
  if (retried === true) return ' (retried)';
  if (!count) return '';
  return ` (${count === 1 ? 'retried once' : `retried ${count} times`})`;
}

const exitOf = ({ exit_status: status }: Job): string =>
  status === null || status === undefined ? '' : String(status);

/** A block step has no fault of its own to be marked. */
const marks = ({ soft_failed }: Job) => ({ soft_failed });

/** The sign and the word of its state. */
const labelOf = (job: Job) => ({
  glyph: stateGlyph(job.state ?? 'unknown', marks(job)),
  word: stateText(job.state ?? 'unknown', marks(job)),
});
