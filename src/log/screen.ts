import {
  clearCells,
  newRow,
  plainCell,
  truncate,
  writeCell,
  type CellStyle,
  type Row,
} from './row.ts';

/** As many rows as the terminals have in which jobs run; what is above them stays as it is. */
export const screenRows = 100;

/** Cursor moves end here unless the line is longer: the columns of those terminals. */
const screenColumns = 160;

/** Nothing is inserted into a line that is longer, so that no sequence makes one without end. */
const widestByInsertion = 4096;

/** Rows that the cursor can still reach, and the cursor. */
export interface Screen {
  readonly rows: Row[];
  x: number;
  y: number;
  cellStyle: CellStyle;
  saved: { readonly x: number; readonly y: number };
}

export const newScreen = (cellStyle: CellStyle = plainCell): Screen => ({
  rows: [newRow()],
  x: 0,
  y: 0,
  cellStyle,
  saved: { x: 0, y: 0 },
});

/** The row that the cursor is on. */
export function cursorRow(screen: Screen): Row {
  while (screen.rows.length <= screen.y) screen.rows.push(newRow());
  return screen.rows[screen.y] as Row;
}

/** Nothing is left to be changed: the cursor begins a new last row. */
export function isCalm(screen: Screen): boolean {
  const last = screen.y === screen.rows.length - 1;
  return last && screen.x === 0 && cursorRow(screen).cells.length === 0;
}

export function write(screen: Screen, character: string): void {
  screen.x = writeCell(cursorRow(screen), screen.x, character, screen.cellStyle);
}

export function newline(screen: Screen): void {
  screen.y += 1;
  screen.x = 0;
  cursorRow(screen);
}

/** To a column from 0, as far as the line and the terminal reach. */
export function moveTo(screen: Screen, x: number): void {
  const most = Math.max(screenColumns - 1, cursorRow(screen).cells.length);
  screen.x = Math.max(0, Math.min(x, most));
}

/** Down to a row that is there; new ones come with a newline alone. */
export function moveToRow(screen: Screen, y: number): void {
  screen.y = Math.max(0, Math.min(y, screen.rows.length - 1));
}

/** `ESC[K`: 0 from the cursor to the end, 1 from the start to the cursor, 2 all. */
export function eraseLine(screen: Screen, mode: number): void {
  const row = cursorRow(screen);
  if (mode === 0) clearCells(row, screen.x, Infinity);
  if (mode === 1) clearCells(row, 0, screen.x + 1);
  if (mode === 2) truncate(row, 0);
}

/** `ESC[J` from the cursor to the end: the rows below go. */
export function eraseBelow(screen: Screen): void {
  eraseLine(screen, 0);
  screen.rows.length = screen.y + 1;
}

/** `ESC[P`: what is behind moves left. */
export function deleteCells(screen: Screen, count: number): void {
  const row = cursorRow(screen);
  const most = Math.min(count, row.cells.length - screen.x);
  if (most <= 0) return;
  row.cells.splice(screen.x, most);
  row.cellStyles.splice(screen.x, most);
}

/** `ESC[@`: what is behind moves right. */
export function insertCells(screen: Screen, count: number): void {
  const row = cursorRow(screen);
  if (screen.x >= row.cells.length) return;
  const most = Math.max(0, Math.min(count, screenColumns, widestByInsertion - row.cells.length));
  row.cells.splice(screen.x, 0, ...Array<string>(most).fill(' '));
  row.cellStyles.splice(screen.x, 0, ...Array<CellStyle>(most).fill(plainCell));
}

/** `ESC[X`: blanks cells where they are. */
export const eraseCells = (screen: Screen, count: number): void =>
  clearCells(cursorRow(screen), screen.x, screen.x + count);
