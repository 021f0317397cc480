/** Moves of the cursor up, over lines that have left the screen too. */
import { ownRow, reserveRows, virtualRow, type Screen } from './screen.ts';
import { moveTo } from './screen-moves.ts';
import { startBelow } from './start-below.ts';

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
