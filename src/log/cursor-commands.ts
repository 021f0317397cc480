import {
  deleteCells,
  eraseBelow,
  eraseCells,
  eraseLine,
  insertCells,
  moveTo,
  moveToRow,
  newline,
  screenRows,
  type Screen,
} from './screen.ts';

/** Puts up to `count` lines that went by before above the rows of the screen. */
export type Lift = (count: number) => void;

/** `ESC 7 8 D E M`. */
export function moveByShort(screen: Screen, final: string, lift: Lift): void {
  if (final === '7') save(screen);
  if (final === '8') restore(screen);
  if (final === 'D' || final === 'E') newline(screen);
  if (final === 'M') up(screen, 1, lift);
}

/** A `[` sequence with its final character and its parameters. */
export function moveBySequence(screen: Screen, final: string, text: string, lift: Lift): void {
  const [first = '', second = ''] = text.split(';');
  if (final === 'K') eraseLine(screen, Number(first));
  else if (final === 'J') eraseScreen(screen, Number(first));
  else cursorCommands[sameAs[final] ?? final]?.(screen, count(first), count(second), lift);
}

const save = (screen: Screen): void => {
  screen.saved = { x: screen.x, y: screen.y };
};

function restore(screen: Screen): void {
  moveToRow(screen, screen.saved.y);
  moveTo(screen, screen.saved.x);
}

const startOf = (screen: Screen, move: () => void): void => {
  screen.x = 0;
  move();
};

/** What `ESC[` sequences do, by their final character; `n` is the first parameter, 1 by default. */
const cursorCommands: Readonly<
  Record<string, (screen: Screen, n: number, second: number, lift: Lift) => void>
> = {
  A: (screen, n, _, lift) => up(screen, n, lift),
  B: (screen, n) => moveToRow(screen, screen.y + n),
  C: (screen, n) => moveTo(screen, screen.x + n),
  D: (screen, n) => moveTo(screen, screen.x - n),
  E: (screen, n) => startOf(screen, () => moveToRow(screen, screen.y + n)),
  F: (screen, n, _, lift) => startOf(screen, () => up(screen, n, lift)),
  G: (screen, n) => moveTo(screen, n - 1),
  H: (screen, n, second, lift) => {
    toRow(screen, n, lift);
    moveTo(screen, second - 1);
  },
  P: (screen, n) => deleteCells(screen, n),
  X: (screen, n) => eraseCells(screen, n),
  '@': (screen, n) => insertCells(screen, n),
  d: (screen, n, _, lift) => toRow(screen, n, lift),
  s: (screen) => save(screen),
  u: (screen) => restore(screen),
};

const sameAs: Readonly<Record<string, string>> = { a: 'C', e: 'B', f: 'H', '`': 'G' };

/** A parameter; nothing and 0 mean 1. */
const count = (parameter: string): number => Math.min(Number(parameter) || 1, 100_000);

function up(screen: Screen, n: number, lift: Lift): void {
  if (n > screen.y) lift(n - screen.y);
  moveToRow(screen, screen.y - n);
}

/** Rows of the terminal count from its top, which is `screenRows` above its end. */
function toRow(screen: Screen, n: number, lift: Lift): void {
  lift(screenRows - screen.rows.length);
  moveToRow(screen, Math.max(0, screen.rows.length - screenRows) + n - 1);
}

/** To clear the screen wipes no line out of a log: what comes then stands below. */
function eraseScreen(screen: Screen, mode: number): void {
  if (mode === 0) eraseBelow(screen);
  if (mode !== 2 && mode !== 3) return;
  const last = screen.rows.at(-1);
  moveToRow(screen, screen.rows.length - 1);
  if (last !== undefined && last.cells.length > 0) newline(screen);
  screen.x = 0;
}
