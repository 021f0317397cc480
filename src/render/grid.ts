import Table from 'cli-table3';
import { widthOf } from './width.ts';

/** A text for one place of a grid, and how it is coloured once the places are aligned. */
export interface GridCell {
  readonly text: string;
  readonly paint?: (text: string) => string;
}

/** Rows of places with their columns aligned, two blanks between them, no borders. */
export function drawGrid(rows: readonly (readonly GridCell[])[]): string {
  const widths = rows.map((row) => row.map(({ text }) => widthOf(text)));
  const colWidths = (widths[0] ?? []).map((_, at) =>
    widths.reduce((most, row) => Math.max(most, row[at] ?? 0), 1),
  );
  const visible = rows.flatMap((row, at) => row.filter((_, column) => widths[at]?.[column] !== 0));
  let next = 0;
  const drawn = layOut(widths, colWidths).replace(/x+/g, () => {
    const { text = '', paint = unpainted } = visible[next++] ?? {};
    return paint(text);
  });
  return drawn.replaceAll(/[^\n]+/g, (line) => line.trimEnd());
}

const unpainted = (text: string): string => text;

/**
 * The table library measures by an older Unicode than terminals do, so that it is given as many
 * letters as each text takes columns.
 */
function layOut(widths: readonly (readonly number[])[], colWidths: number[]): string {
  const style = { head: [], border: [], 'padding-left': 0, 'padding-right': 0 };
  let drawn = '';
  // The library takes time by the square of the rows.
  for (let at = 0; at < widths.length; at += 100) {
    const table = new Table({ chars: noBorders, style, colWidths });
    for (const row of widths.slice(at, at + 100)) table.push(row.map((width) => 'x'.repeat(width)));
    drawn += `${table.toString()}\n`;
  }
  return drawn;
}

const edges = ['top', 'bottom', 'left', 'right', 'mid'];
const corners = ['top-mid', 'top-left', 'top-right', 'bottom-mid', 'bottom-left', 'bottom-right'];
const crossings = ['left-mid', 'mid-mid', 'right-mid'];
const noBorders = {
  ...Object.fromEntries([...edges, ...corners, ...crossings].map((name) => [name, ''])),
  middle: '  ',
};
