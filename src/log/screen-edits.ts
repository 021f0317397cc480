/** What erases, deletes and inserts cells and rows. */
import { clearCells, deleteFrom, insertInto, truncate } from './row-edits.ts';
import { columns, copyOf, newRow, type Row } from './row.ts';
import { rowOfTerminal } from './screen-moves.ts';
import { startBelow } from './start-below.ts';
import { virtualRow, type Screen } from './screen.ts';

/** `ESC[K`: 0 from the cursor to the end, 1 from the start to the cursor, 2 all. */
export function eraseLine(screen: Screen, mode: number): void {
  const row = screen.rows[screen.y];
  if (row === undefined) return;
  if (mode === 0) clearCells(row, screen.x, columns);
  if (mode === 1) clearCells(row, 0, screen.x + 1);
  if (mode === 2) truncate(row, 0);
  endLineAboveBlank(screen);
}

/** Where nothing is left of the row, the line of the row above ends there. */
function endLineAboveBlank({ rows, y }: Screen): void {
  if (rows[y]?.length === 0) endLine(rows[y - 1]);
}

/** What comes below the row is another line. */
function endLine(row: Row | undefined): void {
  if (row !== undefined) row.isWrapped = false;
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
  endLineAboveBlank(screen);
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
  endLineAboveBlank(screen);
}

/** `ESC[L`: rows come in where the cursor is; those that have no more room leave the screen. */
export function insertRows(screen: Screen, count: number): void {
  const { rows, y, height, isStyled, above } = screen;
  screen.x = 0;
  if (y >= rows.length) return;
  endLine(rows[y - 1]);
  const inserted = Math.min(count, height - y);
  rows.splice(y, 0, ...Array.from({ length: inserted }, () => newRow(isStyled)));
  const excess = rows.splice(height);
  endLine(rows.at(-1));
  endLine(excess.at(-1));
  // They were below the others, but better in another place than nowhere.
  for (const row of excess) if (row.length > 0) above.push(row);
}

/** `ESC[M`: rows go, those below move up, and blank ones come in at the end, none from above. */
export function deleteRows(screen: Screen, count: number): void {
  const { rows, y } = screen;
  endLine(rows[y - 1]);
  rows.push(...rows.splice(y, count).fill(virtualRow));
  screen.x = 0;
}
