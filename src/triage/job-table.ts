import { job as jobResource, type Job } from '../api/resources/job.ts';
import { cleanLine } from '../common/untrusted-text.ts';
import { fieldOf } from '../render/cell.ts';
import { fitWidths } from '../render/fit.ts';
import { stateColor, stateGlyph, stateText } from '../render/state.ts';
import { drawGrid, formatCell, type GridCell } from '../render/table.ts';
import { shorten, widthOf } from '../render/width.ts';
import { jobTitleLine } from '../watch/job-title.ts';
import type { ScreenOptions } from './heading.ts';
import { jobClass, jobLabel } from './job-words.ts';
import { wrap } from './wrap.ts';

/** The jobs of a build as rows. Jobs that never ran are only listed by name, below the table. */
export function jobTable(jobs: readonly Job[], options: ScreenOptions): string {
  const shown = jobs.filter((job) => !isNamedOnly(job));
  const groups = groupsOf(jobs.filter(isNamedOnly));
  const states = [...shown.map((job) => stateOf(job).word), ...groups.keys()];
  const stateWidth = Math.max('STATE'.length, ...states.map(widthOf));
  const rows = shown.length === 0 ? '' : drawRows(shown, stateWidth, options);
  const rest = [...groups].map(([word, names]) => groupLine(word, names, stateWidth, options));
  return rows + rest.join('');
}

const isNamedOnly = (job: Job): boolean =>
  ['waiting', 'skipped', 'not run'].includes(jobClass(job)) && !job.started_at;

function groupsOf(jobs: readonly Job[]): Map<string, string[]> {
  const groups = new Map<string, Job[]>();
  for (const job of jobs) {
    const known = jobClass(job);
    const word = known === 'waiting' ? stateOf(job).word : known;
    groups.set(word, [...(groups.get(word) ?? []), job]);
  }
  return new Map([...groups].map(([word, all]) => [word, namesOf(all)]));
}

/** Jobs of the same step are counted, as in `End to end (7 jobs)`. */
function namesOf(jobs: readonly Job[]): string[] {
  const titles = jobs.map(titleOf);
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
  const kept = columns.flatMap(({ cells, toRight }, at) => {
    const width = widths[at];
    if (width === undefined) return [];
    return [cells.map((cell) => ({ ...cell, text: textWithin(cell, width), isAtEnd: toRight }))];
  });
  return drawGrid((kept[0] ?? []).map((_, row) => kept.map((cells) => cells[row] ?? { text: '' })));
}

/** Drops columns until names are not truncated beyond recognition. */
function fit(columns: readonly Column[], width: number) {
  const widths = fitWidths(columns, width, 2);
  const at = columns.findIndex(({ flexible }) => flexible);
  const least = Math.min(16, columns[at]?.natural ?? 0);
  const last = Math.max(...columns.map(({ priority }) => priority));
  if ((widths[at] ?? 0) >= least || last < 2) return { columns, widths };
  return fit(
    columns.filter(({ priority }) => priority !== last),
    width,
  );
}

function textWithin({ text, part = '', more = '' }: PartedCell, width: number): string {
  const whole = [text + part + more, text + part].find((one) => widthOf(one) <= width);
  return whole ?? shorten(text, Math.max(1, width - widthOf(part))) + part;
}

interface PartedCell extends Pick<GridCell, 'text' | 'paint'> {
  /** Distinguishes parallel jobs of a step, so it is never truncated */
  readonly part?: string;
  readonly more?: string;
}

interface Column {
  readonly cells: readonly PartedCell[];
  readonly isEmpty: boolean;
  readonly natural: number;
  readonly flexible: boolean;
  readonly priority: number;
  readonly toRight: boolean;
}

/** The columns of a job list, without spare ones. State and name are always included. */
function columnsOf(
  jobs: readonly Job[],
  stateWidth: number,
  { colors, now }: ScreenOptions,
): Column[] {
  return jobResource.columns
    .filter(({ isSpare }) => isSpare !== true)
    .map((column, place) => {
      const { path, heading, priority = place, givesWay = false } = column;
      if (path === 'state') return stateColumn();
      if (path === 'name') return make(heading, jobs.map(nameOf), { flexible: true, priority: 1 });
      const field = fieldOf(jobResource, column);
      const compute = jobResource.computed?.[path];
      const cells = jobs.map((job) => ({
        ...field.read(job),
        ...(compute && { value: compute(job, now) }),
      }));
      return make(
        heading,
        cells.map((cell) => formatCell(cell, { colors, now })),
        {
          // Keys are dropped first, because names are usually enough to tell jobs apart.
          priority: givesWay ? jobResource.columns.length + priority : priority,
          toRight: cells.some(({ kind }) => kind === 'integer' || kind === 'took'),
        },
      );
    });

  /** Also wide enough for the states that are listed below the table. */
  function stateColumn(): Column {
    const states = jobs.map((job) => {
      const { glyph, word, color } = stateOf(job);
      return { text: `${glyph} ${word}`, paint: colors[color] };
    });
    return make('  STATE'.padEnd(stateWidth + 2), states, { priority: 0 });
  }

  function make(
    heading: string,
    cells: readonly PartedCell[],
    layout: Pick<Column, 'priority'> & Partial<Column>,
  ): Column {
    const texts = cells.map(({ text, part = '', more = '' }) => text + part + more);
    return {
      cells: [{ text: heading, paint: colors.bold }, ...cells],
      isEmpty: texts.every((text) => text === ''),
      natural: Math.max(...[heading, ...texts].map(widthOf)),
      ...{ flexible: false, toRight: false, ...layout },
    };
  }
}

const titleOf = (job: Job): string => cleanLine(jobTitleLine(job)).trim();

function nameOf(job: Job): PartedCell {
  const title = titleOf(job);
  return { text: title, part: jobLabel(job).slice(title.length), more: retriesOf(job) };
}

function retriesOf({ retried, retries_count: count }: Job): string {
  if (retried === true) return ' (retried)';
  if (!count) return '';
  return ` (${count === 1 ? 'retried once' : `retried ${count} times`})`;
}

function stateOf({ state, soft_failed }: Job) {
  const [name, marks] = [state ?? 'unknown', { soft_failed }];
  return {
    glyph: stateGlyph(name, marks),
    word: stateText(name, marks),
    color: stateColor(name, marks),
  };
}
