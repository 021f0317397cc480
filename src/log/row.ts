import type { Keep } from './sequences.ts';
import { plain, transition, type Style } from './style.ts';
import { toBytes } from './text.ts';
import { columnsOf } from './width.ts';

/** What a cell looks like: its style, and the address that it links to. */
export interface CellStyle {
  readonly style: Style;
  /** Empty where there is none. */
  readonly link: string;
}

export const plainCell: CellStyle = { style: plain, link: '' };

/** One line of the screen. */
export interface Row {
  /** A character each, with the marks that combine with it; empty behind a wide one. */
  readonly cells: string[];
  readonly cellStyles: CellStyle[];
  /** The time marks of the line as they came, for the first and for the last of them. */
  readonly marks: string[];
}

export const newRow = (): Row => ({ cells: [], cellStyles: [], marks: [] });

/** More combining characters on one cell are dropped. */
const longestCell = 32;

/** Writes a character at a column and returns the next column. */
export function writeCell(row: Row, x: number, character: string, cellStyle: CellStyle): number {
  const width = columnsOf(character);
  if (width === 0 && combine(row, x, character)) return x;
  clearCells(row, x, x + Math.max(1, width));
  put(row, x, character, cellStyle);
  if (width === 2) put(row, x + 1, '', cellStyle);
  return x + Math.max(1, width);
}

/** Blanks the columns from `start` to `end`; whole wide characters where they are cut. */
export function clearCells(row: Row, start: number, end: number): void {
  const { cells } = row;
  const from = cells[start] === '' ? start - 1 : start;
  const to = cells[end] === '' ? end + 1 : end;
  if (to >= cells.length) truncate(row, from);
  else for (let x = from; x < to; x++) put(row, x, ' ', plainCell);
}

/** Cuts a row off at a column. */
export function truncate(row: Row, width: number): void {
  if (width >= row.cells.length) return;
  row.cells.length = width;
  row.cellStyles.length = width;
}

function put(row: Row, x: number, cell: string, cellStyle: CellStyle): void {
  while (row.cells.length < x) {
    row.cells.push(' ');
    row.cellStyles.push(plainCell);
  }
  row.cells[x] = cell;
  row.cellStyles[x] = cellStyle;
}

/** Adds to the character before; false where there is none. */
function combine(row: Row, x: number, character: string): boolean {
  const at = row.cells[x - 1] === '' ? x - 2 : x - 1;
  const cell = row.cells[at];
  if (cell === undefined) return false;
  if (cell.length < longestCell) row.cells[at] = cell + character;
  return true;
}

/** The bytes of a row without newline; `pen` is the style that the line before left set. Leaves none. */
export function rowBytes(row: Row, pen: Style, keep: Keep): string {
  const marks = keep.marks === true ? row.marks.join('') : '';
  if (keep.colours !== true && keep.links !== true) {
    return marks + toBytes(row.cells.join(''));
  }
  let text = '';
  let link = '';
  row.cells.forEach((cell, x) => {
    const cellStyle = row.cellStyles[x] ?? plainCell;
    if (keep.links === true && cellStyle.link !== link) text += linkTo((link = cellStyle.link));
    if (keep.colours === true) text += transition(pen, (pen = cellStyle.style));
    text += cell;
  });
  if (link !== '') text += linkTo('');
  return marks + toBytes(text) + (keep.colours === true ? transition(pen, plain) : '');
}

const linkTo = (address: string): string => `\x1b]8;;${address}\x07`;
