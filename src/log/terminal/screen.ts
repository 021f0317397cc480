import { newRow, plainCell, type CellStyle, type Row, columns } from './row.ts';

/** The terminal height for jobs. The cursor cannot reach rows further up. */
export const screenRows = 100;

export interface Above {
  push(row: Row): void;
  lift(count: number): Row[];
  count(): number;
  /** Makes all rows final and ends the last line. */
  seal(): void;
}

export interface Screen {
  readonly height: number;
  readonly isStyled: boolean;
  readonly hasMarks: boolean;
  readonly above: Above;
  rows: Row[];
  /** From 0 to `columns`. At `columns`, the next character wraps. */
  x: number;
  /** May be beyond the last row, because rows are only created when they are written to. */
  y: number;
  cellStyle: CellStyle;
  pendingMarks: string[];
  /** The saved cursor. Undefined if none was saved, or if its row is final. */
  saved: { readonly x: number; readonly row: Row } | undefined;
  hasMovedUp: boolean;
  /** The column after the name of an image. A space separates the name from later text. */
  pictureEnd: number;
}

type ScreenOptions = Pick<Screen, 'height' | 'isStyled' | 'hasMarks' | 'above'>;

export const newScreen = (options: ScreenOptions): Screen => ({
  ...options,
  rows: [],
  x: 0,
  y: 0,
  cellStyle: plainCell,
  pendingMarks: [],
  saved: undefined,
  hasMovedUp: false,
  pictureEnd: -1,
});

export function cursorRow(screen: Screen): Row {
  const row = ownRow(screen);
  row.isVirtual = false;
  if (screen.pendingMarks.length > 0) {
    for (const mark of screen.pendingMarks.splice(0)) keepMark(row, mark);
  }
  return row;
}

function ownRow(screen: Screen): Row {
  reserveRows(screen);
  const { rows, y } = screen;
  const row = rows[y] as Row;
  if (row !== virtualRow) return row;
  const own = { ...newRow(screen.isStyled), isVirtual: true };
  rows[y] = own;
  return own;
}

/** Keeps the first mark, the last mark with an absolute time, and the relative marks after that. */
export function keepMark({ marks }: Row, mark: string): void {
  const isAbsolute = mark.includes(';t=');
  if (isAbsolute && marks.length > 2) marks.length = 1;
  if (isAbsolute && marks.length === 2) marks[1] = mark;
  else if (marks.length < 50) marks.push(mark);
}

/** Whether all rows are final and the cursor is at the start of a new last line. */
export const isCalm = ({ rows, x, y }: Screen): boolean =>
  x === 0 && y >= rows.length - 1 && (rows[y]?.isVirtual ?? true);

function reserveRows({ rows, y }: Screen): void {
  while (rows.length <= y) rows.push(virtualRow);
}

export const virtualRow: Row = { ...newRow(false), isVirtual: true };

export function newline(screen: Screen): void {
  const row = cursorRow(screen);
  row.isEnded = true;
  row.isWrapped = false;
  screen.x = 0;
  index(screen);
}

export function wrap(screen: Screen): void {
  cursorRow(screen).isWrapped = true;
  screen.x = 0;
  index(screen);
}

export function index(screen: Screen): void {
  reserveRows(screen);
  screen.y += 1;
  if (screen.y < screen.height) return;
  screen.above.push(screen.rows.shift() as Row);
  screen.y -= 1;
}

export function moveTo(screen: Screen, x: number): void {
  screen.x = Math.max(0, Math.min(x, columns - 1));
}

export function down(screen: Screen, count: number): void {
  const isThere = screen.y + count < screen.rows.length;
  const left = isThere ? count : screen.height - 1 - rowOfTerminal(screen);
  screen.y += Math.max(0, Math.min(count, left));
  moveTo(screen, screen.x);
}

/** The cursor's row on the terminal, from 0. Earlier rows may have left the screen. */
export function rowOfTerminal({ rows, y, height, above }: Screen): number {
  return y + Math.min(above.count(), height - Math.max(rows.length, y + 1));
}

/** Moves up as far as a terminal would, including to lines that have already left the screen. */
export function up(screen: Screen, count: number): void {
  startMovingUp(screen);
  if (count > screen.y) lift(screen, count - screen.y);
  screen.y = Math.max(0, screen.y - count);
  moveTo(screen, screen.x);
}

/** The row that the cursor leaves becomes the last row of the terminal. */
function startMovingUp(screen: Screen): void {
  screen.hasMovedUp = true;
  reserveRows(screen);
}

/** Moves up one row. At the top of the terminal, inserts a row and drops the last one. */
export function reverseIndex(screen: Screen): void {
  startMovingUp(screen);
  if (screen.y === 0) lift(screen, 1);
  const { rows, height, above } = screen;
  if (screen.y > 0) screen.y -= 1;
  else if (height > 1) {
    const last = rows.length < height ? undefined : rows.pop();
    // This row was below the other rows. Showing it too high is better than losing it.
    if (last !== undefined && last.length > 0) above.push(last);
    rows.unshift(virtualRow);
  }
}

function lift(screen: Screen, count: number): void {
  const { rows, height, above } = screen;
  const most = height - Math.max(rows.length, screen.y + 1);
  const lifted = most > 0 ? above.lift(Math.min(count, most)) : [];
  const excess = Math.max(0, lifted.length - most);
  for (const row of lifted.splice(0, excess)) above.push(row);
  rows.unshift(...lifted);
  screen.y += lifted.length;
}

export function save(screen: Screen): void {
  screen.saved = { x: screen.x, row: ownRow(screen) };
}

/** Returns to the saved row even if it has moved, so that no other row is overwritten. */
export function restore(screen: Screen): void {
  const { saved } = screen;
  startMovingUp(screen);
  if (saved === undefined) startBelow(screen, 0);
  else if (!screen.rows.includes(saved.row)) lift(screen, screen.height);
  const y = screen.rows.findIndex((row) => row === saved?.row);
  screen.y = saved === undefined ? screen.y : Math.max(0, y);
  screen.x = saved?.x ?? 0;
}

/**
 * Clearing the screen or moving to a position must not remove lines from a log. Instead, all rows
 * become final, and a new screen starts below them with `y` blank rows.
 */
export function startBelow(screen: Screen, y: number): void {
  const { rows, above } = screen;
  const mark = rows[screen.y]?.marks.at(-1);
  const end = rows.findLastIndex((row) => row.length > 0 || row.isEnded) + 1;
  for (const row of rows.slice(0, end)) above.push(row);
  above.seal();
  screen.rows = Array<Row>(Math.min(y, screen.height - 1)).fill(virtualRow);
  screen.y = screen.rows.length;
  screen.saved = undefined;
  // The line that begins here may have no mark of its own, so it uses the previous mark.
  if (mark !== undefined) screen.pendingMarks.push(mark);
}
