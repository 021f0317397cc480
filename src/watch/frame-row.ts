/** One job per line of the frame: the columns on the right are aligned, and names are truncated. */
import type { Colors } from '../render/colors.ts';
import { cut, shorten, widthOf } from '../render/width.ts';
import type { Job } from '../api/resources/job.ts';
import { stateColor, stateLabel } from '../render/state.ts';
import { cleanLine } from '../common/untrusted-text.ts';
import { duration, instant } from '../render/time.ts';
import { jobNote } from './view.ts';
import type { FrameOptions } from './frame.ts';
import { variantOf } from './job-names.ts';

/** Printable content of a line. */
export interface JobCells {
  readonly color: keyof Colors;
  /** Glyph and words */
  readonly state: string;
  readonly name: string;
  /** The end of the name, which is never truncated */
  readonly end: string;
  /** How the job ended */
  readonly note: string;
  readonly took: string;
}

/** Width of each part; 0 if it is omitted. */
interface RowLayout {
  readonly state: number;
  readonly name: number;
  readonly note: number;
  readonly took: number;
}

/** Wide enough for 10 minutes, so that the layout does not change then. */
const usualTook = 6;

/** The other parts are omitted before the name gets narrower than this. */
const leastName = 12;

/**
 * Minimum width of a note next to long names. A note may use half of the space and whatever names
 * leave.
 */
const usualNote = 24;

/** Width without truncation. */
export function rowWidth(rows: readonly JobCells[]): number {
  const { state, name, note, took } = widest(rows);
  return state + 2 + name + beside(note) + beside(took);
}

/** Decides which parts fit into lines of `width` columns. */
export function rowLayout(rows: readonly JobCells[], width: number): RowLayout {
  const { state, took, ...full } = widest(rows);
  const available = Math.max(0, width - state - 2);
  const left = available - Math.max(leastName, full.name) - beside(took) - 2;
  const half = Math.floor((available - beside(took)) / 2);
  const note = Math.min(full.note, Math.max(usualNote, half, left));
  for (const parts of [
    { note, took },
    { note: 0, took },
    { note, took: 0 },
  ]) {
    const name = available - beside(parts.note) - beside(parts.took);
    if (name >= leastName) return { state, name, ...parts };
  }
  return { state, name: available, note: 0, took: 0 };
}

export function jobRow(cells: JobCells, layout: RowLayout, colors: Colors): string {
  const { color, state, name, end, note, took } = cells;
  const parts = [
    `${colors[color](state)}${' '.repeat(layout.state - widthOf(state))}  `,
    padded(shortenName(name, end, layout.name), layout.name),
    ...(layout.note > 0 ? [`  ${padded(shorten(note, layout.note), layout.note)}`] : []),
    ...(layout.took > 0 ? [`  ${took.padStart(layout.took)}`] : []),
  ];
  return parts.join('').trimEnd();
}

function widest(rows: readonly JobCells[]): RowLayout {
  return {
    state: columnsOf(rows, 'state'),
    name: columnsOf(rows, 'name'),
    note: columnsOf(rows, 'note'),
    took: Math.max(usualTook, columnsOf(rows, 'took')),
  };
}

/** There are many jobs, but few distinct texts other than names. */
const columnsOf = (rows: readonly JobCells[], part: 'state' | 'name' | 'note' | 'took'): number =>
  [...new Set(rows.map((row) => row[part]))].reduce(
    (most, text) => Math.max(most, widthOf(text)),
    0,
  );

const beside = (columns: number): number => (columns > 0 ? columns + 2 : 0);

const padded = (text: string, columns: number): string =>
  `${cut(text, columns)}${' '.repeat(Math.max(0, columns - widthOf(text)))}`;

export function jobCells(
  job: Job,
  name: string,
  { now, spinner }: Pick<FrameOptions, 'now' | 'spinner'>,
): JobCells {
  const { state: known, soft_failed } = job;
  const state = known ?? 'unknown';
  const shown = cleanLine(name);
  const label = stateLabel(state, { soft_failed });
  return {
    color: stateColor(state, { soft_failed }),
    state: spinner === undefined ? label : label.replace(/^●/, spinner),
    name: shown,
    end: distinctEnd(shown, variantOf(job, '').join(' ')),
    note: cleanLine(shortNote(job)),
    took: took(job, now),
  };
}

/** `exit 2`: columns have no room for more. */
const shortNote = (job: Job): string =>
  jobNote({ ...job, soft_failed: false }).replace('exit status', 'exit');

/** `1m35s`; whole seconds while running. */
function took(job: Job, now: number): string {
  const ms = elapsed(job, now);
  if (ms === undefined) return '';
  const isOver = Boolean(job.finished_at);
  return !isOver && ms < 1000 ? '0s' : duration(ms).replaceAll(' ', '');
}

/**
 * Truncates the title of a job before the end that distinguishes it from the other jobs of its
 * step.
 */
function shortenName(name: string, end: string, width: number): string {
  if (widthOf(name) <= width) return name;
  const left = width - widthOf(end);
  return left < leastTitle ? shorten(name, width) : shorten(without(name, end), left) + end;
}

/** Minimum width of a useful title. */
const leastTitle = 6;

const without = (name: string, end: string): string => name.slice(0, name.length - end.length);

/** ` 2/3`, ` linux` or ` (2)`: the part of a name that distinguishes parallel jobs. */
function distinctEnd(name: string, variant: string): string {
  const counted = counter.exec(name)?.[0] ?? '';
  const end = ` ${variant}${/ \(\d+\)$/.exec(name)?.[0] ?? ''}`;
  return variant !== '' && name.endsWith(end) ? end : counted;
}

const counter = /(?: #?\d{1,6}(?:\/\d{1,6})?)?(?: \(\d{1,6}\))?$/;

/** As sent by the service. */
interface Times {
  readonly started_at?: string | null | undefined;
  readonly finished_at?: string | null | undefined;
}

/** Milliseconds from start to finish, or to now. Undefined if not started. */
export function elapsed({ started_at, finished_at }: Times, now: number): number | undefined {
  const start = instant(started_at ?? '');
  return start === undefined ? undefined : (instant(finished_at ?? '') ?? now) - start;
}

/** `0:17`, `12:05`, `1:02:03` */
export function clockTime(ms: number): string {
  const all = Math.floor(Math.max(0, ms) / 1000);
  const [hours, minutes] = [Math.floor(all / 3600), Math.floor(all / 60) % 60];
  const seconds = twoDigits(all % 60);
  return hours === 0 ? `${minutes}:${seconds}` : `${hours}:${twoDigits(minutes)}:${seconds}`;
}

const twoDigits = (count: number): string => String(count).padStart(2, '0');
