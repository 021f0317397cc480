import { columns } from './row.ts';
import {
  deleteCells,
  deleteRows,
  eraseAbove,
  eraseBelow,
  eraseCells,
  eraseLine,
  insertCells,
  insertRows,
} from './screen-edits.ts';
import { restore, reverseIndex, save, up } from './move-up.ts';
import { down, index, moveTo, newline, rowOfTerminal } from './screen-moves.ts';
import { startBelow } from './start-below.ts';
import type { Screen } from './screen.ts';
import { repeat } from './write.ts';

/** `ESC 7 8 D E M c`, by the second byte; no other of them moves the cursor. */
export function moveByShort(screen: Screen, second: number): void {
  const final = String.fromCharCode(second);
  if (final === '7') save(screen);
  if (final === '8') restore(screen);
  if (final === 'D') index(screen);
  if (final === 'E') newline(screen);
  if (final === 'M') reverseIndex(screen);
  if (final === 'c') clear(screen, 0);
}

/** A `[` sequence: its final byte, and where its parameters are. */
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

/** The parameter that begins at `from`; 0 where there is none. */
function readNumber(bytes: Uint8Array, from: number, to: number): number {
  let value = 0;
  for (let at = from; at < to; at++) {
    const digit = (bytes[at] as number) - 0x30;
    if (digit > 9) break;
    value = Math.min(value * 10 + digit, 100_000);
  }
  return value;
}

/** To the alternate screen and back: what is on the one is not to be mixed with the other. */
function setMode(screen: Screen, bytes: Uint8Array, from: number, to: number): void {
  for (let at = from + 1; at <= to; at++) {
    const mode = readNumber(bytes, at, to);
    if (mode === 47 || mode === 1047 || mode === 1049) clear(screen, 0);
    while (at < to && bytes[at] !== 0x3b) at++;
  }
}

/** Begins a screen anew below all that was there. */
function clear(screen: Screen, x: number, y = 0): void {
  startBelow(screen, y);
  moveTo(screen, x);
}

/** `ESC[J`: to clear all leaves the cursor in its place. */
function eraseScreen(screen: Screen, mode: number): void {
  if (mode === 0) eraseBelow(screen);
  if (mode === 1) eraseAbove(screen);
  if (mode === 2 || mode === 3) clear(screen, screen.x, rowOfTerminal(screen));
}

function toStartOf(screen: Screen, move: () => void): void {
  move();
  screen.x = 0;
}

/** What `ESC[` sequences do, by their final character; `n` and `m` are the parameters, 0 by default. */
const commands: Readonly<Record<string, (screen: Screen, n: number, m: number) => void>> = {
  A: (screen, n) => up(screen, n || 1),
  B: (screen, n) => down(screen, n || 1),
  C: (screen, n) => moveTo(screen, screen.x + (n || 1)),
  D: (screen, n) => moveTo(screen, Math.min(screen.x, columns - 1) - (n || 1)),
  E: (screen, n) => toStartOf(screen, () => down(screen, n || 1)),
  F: (screen, n) => toStartOf(screen, () => up(screen, n || 1)),
  G: (screen, n) => moveTo(screen, n - 1),
  H: (screen, n, m) => clear(screen, m - 1, Math.max(0, n - 1)),
  J: eraseScreen,
  K: eraseLine,
  L: (screen, n) => insertRows(screen, n || 1),
  M: (screen, n) => deleteRows(screen, n || 1),
  P: (screen, n) => deleteCells(screen, n || 1),
  X: (screen, n) => eraseCells(screen, n || 1),
  '@': (screen, n) => insertCells(screen, n || 1),
  b: (screen, n) => repeat(screen, n || 1),
  d: (screen, n) => clear(screen, screen.x, Math.max(0, n - 1)),
  s: save,
  u: restore,
};

const sameAs: Readonly<Record<string, string>> = { a: 'C', e: 'B', f: 'H', '`': 'G' };

/** The same by the code of the final character. */
const cursorCommands = Array.from({ length: 128 }, (_, code) => {
  const final = String.fromCharCode(code);
  return commands[sameAs[final] ?? final];
});
