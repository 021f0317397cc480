import {
  columns,
  clearCells,
  deleteFrom,
  insertInto,
  truncate,
  copyOf,
  newRow,
  type Row,
} from './row.ts';
import {
  restore,
  reverseIndex,
  save,
  up,
  down,
  index,
  moveTo,
  newline,
  rowOfTerminal,
  startBelow,
  type Screen,
  virtualRow,
} from './screen.ts';
import { repeat } from './write.ts';

export function moveByShort(screen: Screen, second: number): void {
  const final = String.fromCharCode(second);
  if (final === '7') save(screen);
  if (final === '8') restore(screen);
  if (final === 'D') index(screen);
  if (final === 'E') newline(screen);
  if (final === 'M') reverseIndex(screen);
  if (final === 'c') clear(screen, 0);
}

/** Executes an `ESC [` sequence, given its final byte and the range of its parameters. */
export function moveByControl(
  screen: Screen,
  final: number,
  bytes: Uint8Array,
  { from, to }: { readonly from: number; readonly to: number },
): void {
  const isPrivate = to > from && (bytes[from] as number) >= 0x3c;
  if (isPrivate) {
    if (final === 0x68 || final === 0x6c) setMode(screen, bytes, from, to);
    return;
  }
  const first = readNumber(bytes, from, to);
  const command = cursorCommands[final];
  if (command === undefined) return;
  let semicolon = from;
  while (semicolon < to && bytes[semicolon] !== 0x3b) semicolon++;
  command(screen, first, readNumber(bytes, semicolon + 1, to));
}

function readNumber(bytes: Uint8Array, from: number, to: number): number {
  let value = 0;
  for (let at = from; at < to; at++) {
    const digit = (bytes[at] as number) - 0x30;
    if (digit > 9) break;
    value = Math.min(value * 10 + digit, 100_000);
  }
  return value;
}

/** Switches to the alternate screen and back. The contents of the two screens must not mix. */
function setMode(screen: Screen, bytes: Uint8Array, from: number, to: number): void {
  for (let at = from + 1; at <= to; at++) {
    const mode = readNumber(bytes, at, to);
    if (mode === 47 || mode === 1047 || mode === 1049) clear(screen, 0);
    while (at < to && bytes[at] !== 0x3b) at++;
  }
}

function clear(screen: Screen, x: number, y = 0): void {
  startBelow(screen, y);
  moveTo(screen, x);
}

/** `ESC[J`. Clearing the whole screen does not move the cursor. */
function eraseScreen(screen: Screen, mode: number): void {
  if (mode === 0) eraseBelow(screen);
  if (mode === 1) eraseAbove(screen);
  if (mode === 2 || mode === 3) clear(screen, screen.x, rowOfTerminal(screen));
}

/** `ESC[` sequences by their final character. `n` and `m` are the parameters (default: 0). */
const commands: Readonly<Record<string, (screen: Screen, n: number, m: number) => void>> = {
  A: (screen, n) => up(screen, n || 1),
  B: (screen, n) => down(screen, n || 1),
  C: (screen, n) => moveTo(screen, screen.x + (n || 1)),
  D: (screen, n) => moveTo(screen, Math.min(screen.x, columns - 1) - (n || 1)),
  E: (screen, n) => {
    down(screen, n || 1);
    screen.x = 0;
  },
  F: (screen, n) => {
    up(screen, n || 1);
    screen.x = 0;
  },
  G: (screen, n) => moveTo(screen, n - 1),
  H: (screen, n, m) => clear(screen, m - 1, Math.max(0, n - 1)),
  J: eraseScreen,
  K: eraseLine,
  L: (screen, n) => insertRows(screen, n || 1),
  M: (screen, n) => deleteRows(screen, n || 1),
  P: (screen, n) => erase(screen, (row, x) => deleteFrom(row, x, n || 1)),
  X: (screen, n) => erase(screen, (row, x) => clearCells(row, x, Math.min(columns, x + (n || 1)))),
  '@': (screen, n) => {
    const row = screen.rows[screen.y];
    if (row !== undefined) insertInto(row, screen.x, n || 1);
  },
  b: (screen, n) => repeat(screen, n || 1),
  d: (screen, n) => clear(screen, screen.x, Math.max(0, n - 1)),
  s: save,
  u: restore,
};

const sameAs: Readonly<Record<string, string>> = { a: 'C', e: 'B', f: 'H', '`': 'G' };

const cursorCommands = Array.from({ length: 128 }, (_, code) => {
  const final = String.fromCharCode(code);
  return commands[sameAs[final] ?? final];
});

/** `ESC[K` erases in a line. Mode 0: from the cursor on; 1: up to the cursor; 2: everything. */
function eraseLine(screen: Screen, mode: number): void {
  erase(screen, (row, x) => {
    if (mode === 0) clearCells(row, x, columns);
    if (mode === 1) clearCells(row, 0, x + 1);
    if (mode === 2) clearCells(row, 0, columns);
  });
}

/** Changes the cursor's row. If that empties the row, a line that wrapped into it ends above. */
function erase({ rows, x, y }: Screen, change: (row: Row, x: number) => void): void {
  const row = rows[y];
  if (row === undefined) return;
  change(row, x);
  if (row.length === 0) endLine(rows[y - 1]);
}

function endLine(row: Row | undefined): void {
  if (row !== undefined) row.isWrapped = false;
}

function eraseBelow(screen: Screen): void {
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

/** `ESC[1J` erases from the start to the cursor without moving it. The rows above become final. */
function eraseAbove(screen: Screen): void {
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

/** `ESC[L`. Rows that leave the screen become final. */
function insertRows(screen: Screen, count: number): void {
  const { rows, y, height, isStyled, above } = screen;
  screen.x = 0;
  if (y >= rows.length) return;
  endLine(rows[y - 1]);
  const inserted = Math.min(count, height - y);
  rows.splice(y, 0, ...Array.from({ length: inserted }, () => newRow(isStyled)));
  const excess = rows.splice(height);
  endLine(rows.at(-1));
  endLine(excess.at(-1));
  // These rows were below the other rows. Showing them too high is better than losing them.
  for (const row of excess) if (row.length > 0) above.push(row);
}

/** `ESC[M`. Blank rows are added at the bottom. */
function deleteRows(screen: Screen, count: number): void {
  const { rows, y } = screen;
  endLine(rows[y - 1]);
  rows.push(...rows.splice(y, count).fill(virtualRow));
  screen.x = 0;
}
