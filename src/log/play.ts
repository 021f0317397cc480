import { readEmbed } from './embed.ts';
import { plainLook } from './row.ts';
import {
  cursorRow,
  deleteCells,
  eraseBelow,
  eraseCells,
  eraseLine,
  insertCells,
  moveTo,
  moveToRow,
  newline,
  screenRows,
  write,
  type Screen,
} from './screen.ts';
import { anySequence, unfinished } from './sequences.ts';
import { restyle } from './style.ts';

/** Puts up to `count` lines that went by before above the rows of the screen. */
export type Lift = (count: number) => void;

/** Plays a text, its sequences included, on the screen. */
export function play(screen: Screen, text: string, lift: Lift): void {
  let at = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === 0x1b) at = playSequence(screen, text, at, lift);
    else if (isControl(code)) playControl(screen, text.charAt(at++));
    else at = playCharacter(screen, text, at);
  }
}

/** DEL and the C1 controls are dropped like those below the space. */
const isControl = (code: number): boolean =>
  (code < 0x20 && code !== 0x09) || (code >= 0x7f && code < 0xa0);

function playCharacter(screen: Screen, text: string, at: number): number {
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
  write(screen, character);
  return at + character.length;
}

function playControl(screen: Screen, character: string): void {
  if (character === '\n') newline(screen);
  if (character === '\r') screen.x = 0;
  if (character === '\b') screen.x = Math.max(0, screen.x - 1);
}

/** Returns where the text goes on. */
function playSequence(screen: Screen, text: string, at: number, lift: Lift): number {
  anySequence.lastIndex = at;
  const match = anySequence.exec(text);
  if (!match) {
    unfinished.lastIndex = at;
    unfinished.exec(text);
    return unfinished.lastIndex;
  }
  const [, parameters = '', intermediates, final, introducer, body = '', short] = match;
  if (introducer !== undefined) playString(screen, introducer, body);
  else if (short !== undefined) playShort(screen, short, lift);
  else if (final !== undefined && intermediates === '' && /^[0-9;:]*$/.test(parameters)) {
    playControlSequence(screen, final, parameters, lift);
  }
  return at + match[0].length;
}

function playString(screen: Screen, introducer: string, body: string): void {
  if (introducer === '_' && body.startsWith('bk;')) addMark(cursorRow(screen).marks, body);
  if (introducer !== ']') return;
  if (body.startsWith('8;')) {
    const link = body.slice(body.indexOf(';', 2) + 1).replace(/[\x00-\x20\x7f-\x9f]/g, '');
    screen.look = { ...screen.look, link };
    return;
  }
  const embed = readEmbed(body);
  if (embed === undefined) return;
  const { look } = screen;
  screen.look = { ...look, link: embed.link.replace(/[\x00-\x20\x7f-\x9f]/g, '') };
  for (const character of embed.text.replace(/[\x00-\x1f\x7f-\x9f]/g, '')) write(screen, character);
  screen.look = look;
}

/** Keeps the first mark, the last with a time, and what is counted from that one. */
function addMark(marks: string[], body: string): void {
  if (/;t=/.test(body)) marks.length = Math.min(marks.length, 1);
  if (marks.length < 50) marks.push(`\x1b_${body}\x07`);
}

function playShort(screen: Screen, final: string, lift: Lift): void {
  if (final === '7') save(screen);
  if (final === '8') restore(screen);
  if (final === 'D' || final === 'E') newline(screen);
  if (final === 'M') up(screen, 1, lift);
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
const moves: Readonly<
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

function playControlSequence(screen: Screen, final: string, text: string, lift: Lift): void {
  if (final === 'm') {
    screen.look = { ...screen.look, style: restyle(screen.look.style, text) };
    return;
  }
  const [first = '', second = ''] = text.split(';');
  if (final === 'K') eraseLine(screen, Number(first));
  else if (final === 'J') eraseScreen(screen, Number(first));
  else moves[sameAs[final] ?? final]?.(screen, count(first), count(second), lift);
}

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

/** A link ends with its line. */
export const endLink = (screen: Screen): void => {
  screen.look = { ...plainLook, style: screen.look.style };
};
