/** The columns of the table of a build's jobs. */
import type { Job } from '../api/resources/job.ts';
import type { Colors } from '../render/colors.ts';
import type { GridCell } from '../render/table.ts';
import { stateColor, stateGlyph, stateText } from '../render/state.ts';
import { cleanLine } from '../common/untrusted-text.ts';
import { widthOf } from '../render/width.ts';
import { jobTitleLine } from '../watch/job-title.ts';
import { jobLabel } from './job-label.ts';
import type { ScreenOptions } from './job-table.ts';
import { spanOf } from './took.ts';

/** The text of a cell, in parts of which the last ones give way first. */
export interface LabelParts extends Pick<GridCell, 'text' | 'paint'> {
  /** Not shortened: which of the jobs of a step it is. */
  readonly part?: string;
  /** Not shown where there is no room for it. */
  readonly more?: string;
}

export interface Column {
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
export function columnsOf(
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
export const labelOf = (job: Job) => ({
  glyph: stateGlyph(job.state ?? 'unknown', marks(job)),
  word: stateText(job.state ?? 'unknown', marks(job)),
});
