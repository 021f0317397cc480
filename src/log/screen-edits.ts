/** What erases, deletes and inserts cells and rows. */
import { clearCells, deleteFrom, insertInto, truncate } from './row-edits.ts';
import { columns, copyOf, newRow, type Row } from './row.ts';
import { rowOfTerminal } from './screen-moves.ts';
import { startBelow } from './start-below.ts';
import type { Screen } from './screen.ts';

/** `ESC[K`: 0 from the cursor to the end, 1 from the start to the cursor, 2 all. */
export function eraseLine(screen: Screen, mode: number): void {
  const row = screen.rows[screen.y];
  if (row === undefined) return;
  if (mode === 0) clearCells(row, screen.x, columns);
  if (mode === 1) clearCells(row, 0, screen.x + 1);
  if (mode === 2) truncate(row, 0);
  // Where nothing is left, the line of the row above ends there.
  const before = screen.rows[screen.y - 1];
  if (row.length === 0 && before !== undefined) before.isWrapped = false;
}

/** `ESC[J` from the cursor to the end: nothing is left on the rows below. */
export function eraseBelow(screen: Screen): void {
  eraseLine(screen, 0);
  const { rows, y } = screen;
  for (const row of rows.slice(y + 1)) empty(row);
  const row = rows[y];
  if (row?.length === 0) empty(row);
}

function empty(row: Row): void {
  truncate(row, 0);
  row.marks.length = 0;
  row.isEnded = false;
  row.isVirtual = true;
}

/**
 * `ESC[1J`, from the start to the cursor: the rows above leave for good, with a copy of the row of
 * the cursor where something of it goes, and the cursor stays where it is on the terminal.
 */
export function eraseAbove(screen: Screen): void {
  const y = rowOfTerminal(screen);
  const rest = screen.rows.splice(screen.y);
  const [row] = rest;
  if (row && !isBlank(row, screen.x + 1)) screen.rows.push(copyOf(row));
  startBelow(screen, y);
  screen.rows.push(...rest);
  eraseLine(screen, 1);
}

const isBlank = ({ cells, length }: Row, end: number): boolean =>
  cells.subarray(0, Math.min(end, length)).every((cell) => cell === 0x20);

/** `ESC[P`: what is behind moves left. */
export function deleteCells(screen: Screen, count: number): void {
  const row = screen.rows[screen.y];
  if (row !== undefined) deleteFrom(row, screen.x, count);
}

/** `ESC[@`: what is behind moves right, and out of the row. */
export function insertCells(screen: Screen, count: number): void {
  const row = screen.rows[screen.y];
  if (row !== undefined) insertInto(row, screen.x, count);
}

/** `ESC[X`: blanks cells where they are. */
export function eraseCells(screen: Screen, count: number): void {
  const row = screen.rows[screen.y];
  if (row !== undefined) clearCells(row, screen.x, Math.min(columns, screen.x + count));
}

/** `ESC[L`: rows come in where the cursor is, as many as the terminal has room for. */
export function insertRows(screen: Screen, count: number): void {
  const { rows, y, height, isStyled } = screen;
  const most = Math.min(count, height - rows.length);
  if (y < rows.length && most > 0) {
    rows.splice(y, 0, ...Array.from({ length: most }, () => newRow(isStyled)));
  }
  screen.x = 0;
}

/** `ESC[M`: rows go, and those below move up. */
export function deleteRows(screen: Screen, count: number): void {
  screen.rows.splice(screen.y, count);
  screen.x = 0;
}
