/** Moves of the cursor, and what they do to the rows. */
import { columns, type Row } from './row.ts';
import { cursorRow, reserveRows, type Screen } from './screen.ts';

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
