import Table from 'cli-table3';
import { widthOf } from './width.ts';

/** A text for one place of a grid, and how it is coloured once the places are aligned. */
export interface GridCell {
  readonly text: string;
  readonly paint?: (text: string) => string;
  /** What stays behind the text where that is shortened. */
  readonly tail?: string | undefined;
  /** It stands at the end of its column; default: at the beginning. */
  readonly isAtEnd?: boolean;
}

/** Rows of places with their columns aligned, two blanks between them, no borders. */
export function drawGrid(rows: readonly (readonly GridCell[])[]): string {
  const widths = rows.map((row) => row.map(({ text }) => widthOf(text)));
  const colWidths = (widths[0] ?? []).map((_, at) =>
    widths.reduce((most, row) => Math.max(most, row[at] ?? 0), 1),
  );
  const gaps = gapsOf(colWidths);
  const line = (row: readonly GridCell[], own: readonly number[] = []): string =>
    gaps.map((gap, at) => gap + placed(row[at], own[at] ?? 0, colWidths[at] ?? 0)).join('');
  return rows.map((row, at) => `${line(row, widths[at]).trimEnd()}\n`).join('');
}

/** A text in its column; one that takes no room is left out. */
function placed(cell: GridCell | undefined, width: number, colWidth: number): string {
  const { text = '', paint = unpainted, isAtEnd = false } = cell ?? {};
  const [shown, blanks] = [width === 0 ? '' : paint(text), ' '.repeat(colWidth - width)];
  return isAtEnd ? blanks + shown : shown + blanks;
}

const unpainted = (text: string): string => text;

/**
 * What stands before each column, as the table library lays them out. It draws one row, of letters
 * that fill the columns, and all others are like it: it takes 0.1 ms a row, and measures texts by an
 * older Unicode than terminals do.
 */
function gapsOf(colWidths: number[]): string[] {
  const style = { head: [], border: [], 'padding-left': 0, 'padding-right': 0 };
  const table = new Table({ chars: noBorders, style, colWidths });
  table.push(colWidths.map((width) => 'x'.repeat(width)));
  return table.toString().split(/x+/).slice(0, colWidths.length);
}

const edges = ['top', 'bottom', 'left', 'right', 'mid'];
const corners = ['top-mid', 'top-left', 'top-right', 'bottom-mid', 'bottom-left', 'bottom-right'];
const crossings = ['left-mid', 'mid-mid', 'right-mid'];
const noBorders = {
  ...Object.fromEntries([...edges, ...corners, ...crossings].map((name) => [name, ''])),
  middle: '  ',
};
