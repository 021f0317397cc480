/** What changes the cells of a row that are there. */
import {
  behind,
  blank,
  cluster,
  columns,
  parTorn,
  plainCell,
  type CellStyle,
  type Row,
} from './row.ts';

/** Blanks the columns from `start` to `end`; whole wide characters where they are cut. */
export function clearCells(row: Row, start: number, end: number): void {
  if (start >= row.length) return;
  parTorn(row, start, Math.min(end, row.length));
  if (end >= row.length) truncate(row, start);
  else blank(row, start, end);
}

/** Cuts a row off at a column. */
export function truncate(row: Row, width: number): void {
  if (width >= row.length) return;
  if (row.cells[width] === behind) parTorn(row, width, row.length);
  row.length = width;
  row.isWrapped = false;
  if (row.cellStyles) row.cellStyles.length = width;
  if (width === 0) row.isSimple = true;
}

/** Takes `count` cells out; what is behind them moves left. */
export function deleteFrom(row: Row, x: number, count: number): void {
  const end = Math.min(row.length, x + count);
  if (end <= x) return;
  parTorn(row, x, end);
  blankTabs(row, end);
  shiftClusters(row, end, x - end);
  row.cells.copyWithin(x, end, row.length);
  row.cellStyles?.splice(x, end - x);
  row.length -= end - x;
  row.isWrapped = false;
}

/** Puts `count` blank cells in; what is behind them moves right, and out of the row. */
export function insertInto(row: Row, x: number, count: number): void {
  if (x >= row.length) return;
  const inserted = Math.min(count, columns - x);
  const length = Math.min(columns, row.length + inserted);
  parTorn(row, x, x);
  blankTabs(row, x);
  shiftClusters(row, x, inserted);
  row.cells.copyWithin(x + inserted, x, length - inserted);
  row.cellStyles?.splice(x, 0, ...Array<CellStyle>(inserted).fill(plainCell));
  row.length = length;
  if (row.cellStyles) row.cellStyles.length = length;
  blank(row, x, x + inserted);
}

/** In another column a tab would reach less far, or farther: spaces are as wide everywhere. */
function blankTabs({ cells, length }: Row, from: number): void {
  for (let x = cells.indexOf(tab, from); x >= 0 && x < length; x = cells.indexOf(tab, x)) {
    do cells[x++] = space;
    while (x < length && cells[x] === behind);
  }
}

const tab = 0x09;
const space = 0x20;

function shiftClusters(row: Row, from: number, by: number): void {
  if (row.clusters === undefined) return;
  row.clusters = new Map(
    Array.from(row.clusters, ([x, text]) => [x >= from ? x + by : x, text] as const),
  );
}

/** More combining characters on one cell are dropped. */
const longestCluster = 32;

/** Adds a combining character to the one before `x`; false where there is none. */
export function combine(row: Row, x: number, character: string): boolean {
  let at = x - 1;
  if (at < 0 || at >= row.length) return false;
  while (at > 0 && row.cells[at] === behind) at -= 1;
  const before = textOf(row, at);
  if (before.length < longestCluster) {
    row.clusters ??= new Map();
    row.clusters.set(at, before + character);
    row.cells[at] = cluster;
    row.isSimple = false;
  }
  return true;
}

const textOf = (row: Row, at: number): string =>
  row.cells[at] === cluster
    ? (row.clusters?.get(at) ?? '')
    : String.fromCodePoint(row.cells[at] as number);
