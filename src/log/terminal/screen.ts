import { newRow, plainCell, type CellStyle, type Row, columns } from './row.ts';

/** As many rows as the terminals have in which jobs run; what is above them stays as it is. */
export const screenRows = 100;

/** What is above the rows of a screen. */
export interface Above {
  /** A row that has left the screen at its top. */
  push(row: Row): void;
  /** The last rows that have left it, `count` of them or a few more; they come back. */
  lift(count: number): Row[];
  /** How many rows might come back. */
  count(): number;
  /** None of them comes back any more: the line is ended there. */
  seal(): void;
}

/** The rows that the cursor can reach, and the cursor. */
export interface Screen {
  readonly height: number;
  /** Styles and links of cells are kept. */
  readonly isStyled: boolean;
  readonly hasMarks: boolean;
  readonly above: Above;
  rows: Row[];
  /** 0 to `columns`: a character there goes to the next row. */
  x: number;
  /** May be beyond the last row: rows are made when something is written on them. */
  y: number;
  cellStyle: CellStyle;
  /** Time marks for the row that is written on next: none is made for them alone. */
  pendingMarks: string[];
  /** Where the cursor was saved; undefined until then, and when the rows of that time are gone. */
  saved: { readonly x: number; readonly row: Row } | undefined;
  /** The cursor has gone up since this was last set to false. */
  hasMovedUp: boolean;
  /** The column behind a picture: what comes there is parted from its name by a space. */
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

/** The row that the cursor is on, to be written on. */
export function cursorRow(screen: Screen): Row {
  const row = ownRow(screen);
  row.isVirtual = false;
  if (screen.pendingMarks.length > 0) addMarks(row, screen.pendingMarks.splice(0));
  return row;
}

/** The row that the cursor is on, which is no other's. */
function ownRow(screen: Screen): Row {
  reserveRows(screen);
  const { rows, y } = screen;
  const row = rows[y] as Row;
  if (row !== virtualRow) return row;
  const own = { ...newRow(screen.isStyled), isVirtual: true };
  rows[y] = own;
  return own;
}

/** Keeps the first mark, the last with a time, and what is counted from that one. */
function addMarks({ marks }: Row, added: readonly string[]): void {
  for (const mark of added) {
    if (mark.includes(';t=')) marks.length = Math.min(marks.length, 1);
    if (marks.length < 50) marks.push(mark);
  }
}

/** Nothing is left to be changed: the cursor begins a new last line. */
export const isCalm = ({ rows, x, y }: Screen): boolean =>
  x === 0 && y >= rows.length - 1 && (rows[y]?.isVirtual ?? true);

/** Rows that the cursor passes over, and that nothing is on as yet, down to the row it is on. */
function reserveRows({ rows, y }: Screen): void {
  while (rows.length <= y) rows.push(virtualRow);
}

/** Stands for every row that nothing was written on. */
export const virtualRow: Row = { ...newRow(false), isVirtual: true };

// Moves of the cursor, and what they do to the rows.

/** To the start of the next row, at whose top one leaves where there is no more room. */
export function newline(screen: Screen): void {
  const row = cursorRow(screen);
  row.isEnded = true;
  row.isWrapped = false;
  screen.x = 0;
  index(screen);
}

/** To the next row, since this one is full. */
export function wrap(screen: Screen): void {
  cursorRow(screen).isWrapped = true;
  screen.x = 0;
  index(screen);
}

/** Down one row. */
export function index(screen: Screen): void {
  reserveRows(screen);
  screen.y += 1;
  if (screen.y < screen.height) return;
  screen.above.push(screen.rows.shift() as Row);
  screen.y -= 1;
}

/** To a column from 0. */
export function moveTo(screen: Screen, x: number): void {
  screen.x = Math.max(0, Math.min(x, columns - 1));
}

/** Down, up to the last row of the terminal. */
export function down(screen: Screen, count: number): void {
  const isThere = screen.y + count < screen.rows.length;
  const left = isThere ? count : screen.height - 1 - rowOfTerminal(screen);
  screen.y += Math.max(0, Math.min(count, left));
  moveTo(screen, screen.x);
}

/** The row of the terminal, from 0, that the cursor is on; not all above it are on the screen. */
export function rowOfTerminal({ rows, y, height, above }: Screen): number {
  return y + Math.min(above.count(), height - Math.max(rows.length, y + 1));
}

// Moves of the cursor up, over lines that have left the screen too.

/** Up, over lines that have left the screen, as far as a terminal would show them. */
export function up(screen: Screen, count: number): void {
  startMovingUp(screen);
  if (count > screen.y) lift(screen, count - screen.y);
  screen.y = Math.max(0, screen.y - count);
  moveTo(screen, screen.x);
}

/** The row that the cursor leaves stays the last one of the terminal. */
function startMovingUp(screen: Screen): void {
  screen.hasMovedUp = true;
  reserveRows(screen);
}

/** Up one row; at the top of the terminal a new one comes in, and the last one leaves it. */
export function reverseIndex(screen: Screen): void {
  startMovingUp(screen);
  if (screen.y === 0) lift(screen, 1);
  const { rows, height, above } = screen;
  if (screen.y > 0) screen.y -= 1;
  else if (height > 1) {
    const last = rows.length < height ? undefined : rows.pop();
    // It was below the others, but better in another place than nowhere.
    if (last !== undefined && last.length > 0) above.push(last);
    rows.unshift(virtualRow);
  }
}

function lift(screen: Screen, count: number): void {
  const { rows, height, above } = screen;
  const most = height - Math.max(rows.length, screen.y + 1);
  const lifted = most > 0 ? above.lift(Math.min(count, most)) : [];
  // Of a line of many rows, the first ones may be too many.
  const excess = Math.max(0, lifted.length - most);
  for (const row of lifted.splice(0, excess)) above.push(row);
  rows.unshift(...lifted);
  screen.y += lifted.length;
}

/** Saves where the cursor is. */
export function save(screen: Screen): void {
  screen.saved = { x: screen.x, row: ownRow(screen) };
}

/** Back to the row that was saved, wherever it has gone by then, so that none is written over. */
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
 * All rows leave for good, and the screen begins anew below them with `y` rows that nothing is on:
 * to clear the screen, or to go to an address on it, wipes no line out of a log.
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
  // The line that begins here may have no mark of its own.
  if (mark !== undefined) screen.pendingMarks.push(mark);
}
