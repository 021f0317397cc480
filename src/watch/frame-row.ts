/** A job in a line of the frame: the columns on the right stand still, and the name gives way. */
import type { Colors } from '../render/colors.ts';
import { cut, shorten, widthOf } from '../render/width.ts';
import { shortenName } from './shorten-name.ts';

/** What a line says of a job; all of it printable. */
export interface JobCells {
  readonly color: keyof Colors;
  /** Glyph and words. */
  readonly state: string;
  readonly name: string;
  /** The end of the name that is not cut. */
  readonly end: string;
  /** How it ended. */
  readonly note: string;
  readonly took: string;
}

/** Columns of each part; 0 for one that is left out. */
export interface RowLayout {
  readonly state: number;
  readonly name: number;
  readonly note: number;
  readonly took: number;
}

/** Columns of a time from the start on, so that the tenth minute moves nothing. */
const usualTook = 6;

/** Columns that a name keeps before the parts on its right go. */
const leastName = 12;

/** Columns of a note beside long names at least; it has half of the place, and what names leave. */
const usualNote = 24;

/** Columns that lines take in which nothing is cut. */
export function rowWidth(rows: readonly JobCells[]): number {
  const { state, name, note, took } = widest(rows);
  return state + 2 + name + beside(note) + beside(took);
}

/** Which parts there is place for in lines of `width` columns. */
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

/** There are many jobs, and few different texts but for the names. */
const columnsOf = (rows: readonly JobCells[], part: 'state' | 'name' | 'note' | 'took'): number =>
  [...new Set(rows.map((row) => row[part]))].reduce(
    (most, text) => Math.max(most, widthOf(text)),
    0,
  );

const beside = (columns: number): number => (columns > 0 ? columns + 2 : 0);

const padded = (text: string, columns: number): string =>
  `${cut(text, columns)}${' '.repeat(Math.max(0, columns - widthOf(text)))}`;
