import type { Row } from './row.ts';
import { virtualRow, type Screen } from './screen.ts';

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
