/** Lines that have left the screen, as the rows that they were made from. */
import { interpret } from './interpret.ts';
import { columns, type Row } from './row.ts';
import { newScreen, type Above, type Screen } from './screen.ts';
import { plain, type Style } from './style.ts';

/** How many rows settled lines take. */
export function rowsOf(lines: string, screen: Screen): number {
  const each = lines.split('\n').slice(0, -1);
  const isNarrow = each.every(({ length }) => length <= columns) && !lines.includes('\t');
  return isNarrow ? each.length : replay(lines, { screen, pen: plain }).length;
}

/** The rows that settled lines were made from. */
export function replay(lines: string, now: { screen: Screen; pen: Style }): Row[] {
  const rows: Row[] = [];
  const above: Above = { ...nothing, push: (row) => void rows.push(row) };
  const screen = newScreen({ ...now.screen, height: 1, above });
  screen.cellStyle = { style: now.pen, link: '' };
  interpret(screen, Buffer.from(lines, 'latin1'));
  return rows;
}

const nothing = { lift: () => [], count: () => 0, seal: () => undefined };
