/**
 * The escape sequences of ECMA-48 as patterns. They hold for byte strings and for text alike, since
 * all their characters are ASCII but for the bodies of strings.
 *
 * A sequence never reaches over the end of its line, so an unfinished one cannot swallow the log.
 */

/** What a stage keeps of a log beside its characters. */
export interface Keep {
  /** SGR: colours and weights. */
  readonly colours?: boolean;
  /** Time marks. */
  readonly marks?: boolean;
  /** OSC 8 links. */
  readonly links?: boolean;
}

const body = '[^\\x07\\x18\\x1a\\x1b\\n]*';
const end = '(?:\\x07|\\x1b\\\\)';

/** All whole sequences, for lines that are settled or are not going to be. */
export const sequences = new RegExp(
  `\\x1b(?:\\[[0-?]*[ -/]*[@-~]|[\\]P_^X]${body}${end}|[ -/]+[0-~]|[0-OQ-WYZ\\\\\`-~])`,
  'g',
);

/**
 * Sequences that can be taken out of a line, or left in it, without a look at the cursor. They are
 * those of `sequences.ts`, read from bytes.
 */

/**
 * The end of the sequence that begins at `at`; -1 where it is not finished, or moves the cursor, or
 * shows something. Erasing what is behind the cursor does nothing on a line that is only written.
 */
export function endOfStrippable(bytes: Buffer, at: number): number {
  const second = bytes[at + 1] ?? 0;
  if (second === 0x5b) return endOfControl(bytes, at + 2);
  if (isString(second))
    return showsSomething(bytes, at + 1) ? -1 : endOfString(bytes, at + 1, bytes.length);
  if (second >= 0x20 && second < 0x30) return endOfSelection(bytes, at + 1);
  return second >= 0x30 && second < 0x7f && !movingShort.includes(second) ? at + 2 : -1;
}

/** Whether the simple sequence from `at` to `end` is one of those to be kept. */
export function isKept(bytes: Buffer, at: number, end: number, keep: Keep): boolean {
  const second = bytes[at + 1];
  if (second === 0x5b) return keep.colours === true && isColour(bytes, at + 2, end - 1);
  if (second === 0x5f) return keep.marks === true && startsWith(bytes, at + 2, 'bk;');
  return second === 0x5d && keep.links === true && startsWith(bytes, at + 2, '8;');
}

/** The position of the newline after one or two `\r` at `at`; otherwise -1. */
export function endOfReturns(bytes: Buffer, at: number): number {
  if (bytes[at] !== carriageReturn) return -1;
  const end = bytes[at + 1] === carriageReturn ? at + 2 : at + 1;
  return bytes[end] === newline ? end : -1;
}

const newline = 0x0a;
const carriageReturn = 0x0d;

/** Parameters, intermediates and the final byte of a sequence that began with `ESC [`. */
function endOfControl(bytes: Buffer, from: number): number {
  const middle = skip(bytes, from, 0x30, 0x3f);
  const last = skip(bytes, middle, 0x20, 0x2f);
  const final = bytes[last] ?? 0;
  if (final < 0x40 || final > 0x7e) return -1;
  const private_ = middle > from && (bytes[from] ?? 0) >= 0x3c;
  if (private_ && (final === 0x68 || final === 0x6c) && switchesScreen(bytes, from, middle))
    return -1;
  if (last > middle || private_ || moving[final] !== 1) return last + 1;
  const erases = final === 0x4a || final === 0x4b;
  const forward = middle === from || (middle === from + 1 && bytes[from] === 0x30);
  return erases && forward ? last + 1 : -1;
}

/** Finals that move the cursor or the text around it: `A`–`H J`–`M P X @ a b d e f s u` and backtick. */
const moving = new Uint8Array(128);
for (const final of 'ABCDEFGHJKLMPX@abdefsu`') moving[final.charCodeAt(0)] = 1;

/** `ESC 7 8 D E M c` save, restore and move the cursor, and clear the screen. */
const movingShort = Array.from('78DEMc', (final) => final.charCodeAt(0));

/** Whether one of the private modes is the alternate screen: 47, 1047, 1049. */
const switchesScreen = (bytes: Buffer, from: number, to: number): boolean =>
  bytes.includes('47', from, 'latin1') || bytes.includes('49', from, 'latin1')
    ? /(?:^|[?;])(?:47|1047|1049)(?:;|$)/.test(bytes.toString('latin1', from, to))
    : false;

/** The introducer of a string: `P X ] ^ _`. */
export const isString = (byte: number): boolean =>
  byte === 0x5f || byte === 0x5d || byte === 0x50 || byte === 0x58 || byte === 0x5e;

/** From the introducer to behind BEL or `ESC \`; -1 where the string is broken off. */
export function endOfString(bytes: Buffer, introducer: number, lineEnd: number): number {
  let at = introducer + 1;
  while (at < lineEnd && stringEnds[bytes[at] as number] !== 1) at++;
  if (at >= lineEnd) return -1;
  if (bytes[at] === 0x07) return at + 1;
  return bytes[at] === 0x1b && at + 1 < lineEnd && bytes[at + 1] === 0x5c ? at + 2 : -1;
}

/** BEL, LF, CAN, SUB, ESC. */
const stringEnds = new Uint8Array(256);
for (const byte of [0x07, 0x0a, 0x18, 0x1a, 0x1b]) stringEnds[byte] = 1;

/** Pictures and links of the log's own kind: 1337, 1338, 1339. */
const showsSomething = (bytes: Buffer, introducer: number): boolean =>
  startsWith(bytes, introducer, ']133') &&
  /[789]/.test(String.fromCharCode(bytes[introducer + 4] ?? 0));

/** `ESC ( B` and the like. */
function endOfSelection(bytes: Buffer, from: number): number {
  const last = skip(bytes, from, 0x20, 0x2f);
  const final = bytes[last] ?? 0;
  return final >= 0x30 && final <= 0x7e ? last + 1 : -1;
}

function isColour(bytes: Buffer, from: number, final: number): boolean {
  if (bytes[final] !== 0x6d) return false;
  for (let at = from; at < final; at++) {
    const byte = bytes[at] as number;
    if (byte < 0x30 || byte > 0x3b) return false;
  }
  return true;
}

function skip(bytes: Buffer, from: number, low: number, high: number): number {
  const end = bytes.length;
  let at = from;
  while (at < end && (bytes[at] as number) >= low && (bytes[at] as number) <= high) at++;
  return at;
}

function startsWith(bytes: Buffer, at: number, text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    if (bytes[at + index] !== text.charCodeAt(index)) return false;
  }
  return true;
}
