import type { Keep } from './sequences.ts';

/**
 * Sequences that can be taken out of a line, or left in it, without a look at the cursor. They are
 * those of `sequences.ts`, read from bytes.
 */

const maxParameters = 64;
const maxIntermediates = 4;

/**
 * The end of the sequence that begins at `at`; -1 where it is not finished, or moves the cursor, or
 * shows something. Erasing what is behind the cursor does nothing on a line that is only written.
 */
export function endOfStrippable(bytes: Buffer, at: number): number {
  const second = bytes[at + 1] ?? 0;
  if (second === 0x5b) return endOfControl(bytes, at + 2);
  if (isString(second)) return endOfString(bytes, at + 1);
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

/** Parameters, intermediates and the final byte of a sequence that began with `ESC [`. */
function endOfControl(bytes: Buffer, from: number): number {
  const middle = skip(bytes, from, 0x30, 0x3f, maxParameters);
  const last = skip(bytes, middle, 0x20, 0x2f, maxIntermediates);
  const final = bytes[last] ?? 0;
  if (final < 0x40 || final > 0x7e) return -1;
  const private_ = middle > from && (bytes[from] ?? 0) >= 0x3c;
  if (last > middle || private_ || moving[final] !== 1) return last + 1;
  const erases = final === 0x4a || final === 0x4b;
  const forward = middle === from || (middle === from + 1 && bytes[from] === 0x30);
  return erases && forward ? last + 1 : -1;
}

/** Finals that move the cursor or the text around it: `A`–`H J K P X @ a d e f s u` and backtick. */
const moving = new Uint8Array(128);
for (const final of 'ABCDEFGHJKPX@adefsu`') moving[final.charCodeAt(0)] = 1;

/** `ESC 7 8 D E M` save, restore and move the cursor. */
const movingShort = Array.from('78DEM', (final) => final.charCodeAt(0));

/** `P X ] ^ _` */
const isString = (byte: number): boolean =>
  byte === 0x5f || byte === 0x5d || byte === 0x50 || byte === 0x58 || byte === 0x5e;

/** From the introducer to behind BEL or `ESC \`. What is broken off, and what shows something, is -1. */
function endOfString(bytes: Buffer, introducer: number): number {
  let at = introducer + 1;
  if (bytes[introducer] === 0x5d && showsSomething(bytes, at)) return -1;
  while (at < bytes.length && stringEnds[bytes[at] as number] !== 1) at++;
  if (bytes[at] === 0x07) return at + 1;
  return bytes[at] === 0x1b && bytes[at + 1] === 0x5c ? at + 2 : -1;
}

/** BEL, LF, CAN, SUB, ESC. */
const stringEnds = new Uint8Array(256);
for (const byte of [0x07, 0x0a, 0x18, 0x1a, 0x1b]) stringEnds[byte] = 1;

/** Pictures and links of the log's own kind: 1337, 1338, 1339. */
const showsSomething = (bytes: Buffer, at: number): boolean =>
  startsWith(bytes, at, '133') && /[789]/.test(String.fromCharCode(bytes[at + 3] ?? 0));

/** `ESC ( B` and the like. */
function endOfSelection(bytes: Buffer, from: number): number {
  const last = skip(bytes, from, 0x20, 0x2f, maxIntermediates);
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

function skip(bytes: Buffer, from: number, low: number, high: number, most: number): number {
  const end = Math.min(bytes.length, from + most);
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
