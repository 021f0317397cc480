import { newRow, plainCell, type CellStyle, type Row } from './row.ts';

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
export function ownRow(screen: Screen): Row {
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
export function reserveRows({ rows, y }: Screen): void {
  while (rows.length <= y) rows.push(virtualRow);
}

/** Stands for every row that nothing was written on. */
export const virtualRow: Row = { ...newRow(false), isVirtual: true };
