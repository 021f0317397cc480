/**
 * ECMA-48 escape sequences. A sequence ends at the end of its line at the latest; otherwise an
 * incomplete sequence could swallow the rest of the log.
 */

import { hiddenBytes } from '../common/untrusted-text.ts';

export interface Keep {
  readonly colours?: boolean;
  readonly marks?: boolean;
  readonly links?: boolean;
}

const body = '[^\\x07\\x18\\x1a\\x1b\\n]*';
const end = '(?:\\x07|\\x1b\\\\)';

export const sequences = new RegExp(
  `\\x1b(?:\\[[0-?]*[ -/]*[@-~]|[\\]P_^X]${body}${end}|[ -/]+[0-~]|[0-OQ-WYZ\\\\\`-~])`,
  'g',
);

/**
 * The end of the sequence at `at`. -1 if the sequence is incomplete, moves the cursor or shows
 * something. Erasing after the cursor has no effect while text is only appended to a line.
 */
export function endOfStrippable(bytes: Buffer, at: number): number {
  const second = bytes[at + 1] ?? 0;
  if (second === 0x5b) return endOfControl(bytes, at + 2);
  if (isString(second))
    return showsSomething(bytes, at + 1) ? -1 : endOfString(bytes, at + 1, bytes.length);
  if (second >= 0x20 && second < 0x30) return endOfSelection(bytes, at + 1);
  return second >= 0x30 && second < 0x7f && !movingShort.includes(second) ? at + 2 : -1;
}

export function isKept(bytes: Buffer, at: number, end: number, keep: Keep): boolean {
  const second = bytes[at + 1];
  if (second === 0x5b) return keep.colours === true && isColour(bytes, at + 2, end - 1);
  if (second === 0x5f) return keep.marks === true && startsWith(bytes, at + 2, 'bk;');
  return second === 0x5d && keep.links === true && startsWith(bytes, at + 2, '8;');
}

/** The offset of a newline that follows one or two `\r` at `at`, or -1. */
export function endOfReturns(bytes: Buffer, at: number): number {
  if (bytes[at] !== carriageReturn) return -1;
  const end = bytes[at + 1] === carriageReturn ? at + 2 : at + 1;
  return bytes[end] === newline ? end : -1;
}

const newline = 0x0a;
const carriageReturn = 0x0d;

function endOfControl(bytes: Buffer, from: number): number {
  const middle = skip(bytes, from, bytes.length, 0x30, 0x3f);
  const last = skip(bytes, middle, bytes.length, 0x20, 0x2f);
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

const moving = new Uint8Array(128);
for (const final of 'ABCDEFGHJKLMPX@abdefsu`') moving[final.charCodeAt(0)] = 1;

const movingShort = Array.from('78DEMc', (final) => final.charCodeAt(0));

/** Whether one of the private modes in the range switches to the alternate screen. */
const switchesScreen = (bytes: Buffer, from: number, to: number): boolean =>
  bytes.includes('47', from, 'latin1') || bytes.includes('49', from, 'latin1')
    ? /(?:^|[?;])(?:47|1047|1049)(?:;|$)/.test(bytes.toString('latin1', from, to))
    : false;

export const isString = (byte: number): boolean =>
  byte === 0x5f || byte === 0x5d || byte === 0x50 || byte === 0x58 || byte === 0x5e;

/** The offset after the BEL or `ESC \` that ends a string. -1 if the string is incomplete. */
export function endOfString(bytes: Buffer, introducer: number, lineEnd: number): number {
  let at = introducer + 1;
  while (at < lineEnd && stringEnds[bytes[at] as number] !== 1) at++;
  if (at >= lineEnd) return -1;
  if (bytes[at] === 0x07) return at + 1;
  return bytes[at] === 0x1b && at + 1 < lineEnd && bytes[at + 1] === 0x5c ? at + 2 : -1;
}

const stringEnds = new Uint8Array(256);
for (const byte of [0x07, 0x0a, 0x18, 0x1a, 0x1b]) stringEnds[byte] = 1;

/** Whether the string is an image or a link (OSC 1337, 1338, 1339, specific to these logs). */
const showsSomething = (bytes: Buffer, introducer: number): boolean =>
  startsWith(bytes, introducer, ']133') &&
  /[789]/.test(String.fromCharCode(bytes[introducer + 4] ?? 0));

function endOfSelection(bytes: Buffer, from: number): number {
  const last = skip(bytes, from, bytes.length, 0x20, 0x2f);
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

/** Whether the byte is a parameter or an intermediate byte of a control sequence. */
export const isParameter = (byte: number): boolean => byte >= 0x20 && byte < 0x40;

/** The first offset whose byte is not between `low` and `high`. */
export function skip(
  bytes: Uint8Array,
  from: number,
  end: number,
  low: number,
  high: number,
): number {
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

/** Settled lines, and the offset of the first line that is not settled */
export interface Stripped {
  readonly lines: string;
  readonly end: number;
}

/** Settles lines by removing sequences. Stops at the first line for which that is not enough. */
export function strip(scanned: ScannedBytes, from: number, keep: Keep): Stripped {
  const { bytes, text, controls } = scanned;
  let lines = '';
  let start = from;
  let at = controls.next(from);
  while (at < bytes.length) {
    const end = bytes[at] === escape ? endOfStrippable(bytes, at) : endOfReturns(bytes, at);
    if (end < 0) break;
    if (bytes[at] !== escape || !isKept(bytes, at, end, keep)) {
      if (at > start) lines += text.slice(start, at);
      start = end;
    }
    at = controls.next(end);
  }
  if (at >= bytes.length) return { lines: lines + text.slice(start), end: at };
  // Keeps only the lines before the first line that needs more than removing sequences.
  const end = at === from ? from : Math.max(from, text.lastIndexOf('\n', at - 1) + 1);
  if (end >= start) return { lines: lines + text.slice(start, end), end };
  return { lines: lines.slice(0, lines.lastIndexOf('\n') + 1), end };
}

/**
 * Like `strip`, but all at once, which starts faster. Returns undefined if that might not be enough,
 * or if there are hidden characters. This only removes sequences that are common in logs.
 * `isPlain`: the text is ASCII.
 */
export function stripAll(keep: Keep): (text: string, isPlain: boolean) => string | undefined {
  const { colours = false, marks = false, links = false } = keep;
  const strings = `(?:[PX^]|_${marks ? '(?!bk;)' : ''}|\\](?!${links ? '8;|' : ''}133[789]))`;
  const controls = `\\[(?:${colours ? '' : '[0-;]*m|'}0?[JK]|\\?(?:25|2004)[hl])`;
  const unwanted = new RegExp(
    `\\x1b(?:${controls}|${strings}${body}${end}|[ -/]+[0-~])|\\r\\r?(?=\\n)`,
    'g',
  );
  const kept = new RegExp(`\\x1b(?:_|\\]8;)${body}${end}`, 'g');
  const rest = `[^\\t\\n${colours ? '\\x1b' : ''} -~\\x80-\\xff]|\\x1b(?!\\[[0-;]*m)`;
  const rare = new RegExp(rest);
  const rareOrHidden = new RegExp(`${rest}|\\xc2[\\x80-\\x9f]|${hiddenBytes.source}`);
  return (text, isPlain) => {
    const lines = text.replace(unwanted, '');
    const bare = marks || links ? lines.replace(kept, '') : lines;
    return (isPlain ? rare : rareOrHidden).test(bare) ? undefined : lines;
  };
}

const escape = 0x1b;

/** A block of a log, prepared once because it is scanned many times. */
export interface ScannedBytes {
  readonly bytes: Buffer;
  /** One character per byte: V8 joins substrings faster than bytes. */
  readonly text: string;
  readonly controls: ReturnType<typeof scanControls>;
}

export function scanBytes(): (bytes: Buffer) => ScannedBytes {
  let last: ScannedBytes | undefined;
  return (bytes) => {
    if (last?.bytes === bytes) return last;
    last = { bytes, text: bytes.toString('latin1'), controls: scanControls(bytes) };
    return last;
  };
}

/** Finds bytes that are not text, four bytes at a time. */
export function scanControls(bytes: Buffer) {
  const offset = -bytes.byteOffset & 3;
  const count = Math.max(0, bytes.length - offset) >> 2;
  // If there are no complete words, the offset may be beyond the buffer: an invalid offset even for
  // an empty view.
  const start = count === 0 ? 0 : bytes.byteOffset + offset;
  const words = new Int32Array(bytes.buffer, start, count);
  const scanned = { bytes, words, offset };
  let rare = nextRare(bytes, 0);
  return {
    /**
     * The offset of the first control character at or after `from`, or the end offset. Includes DEL
     * and C1, but not tab and newline.
     */
    next: (from: number): number => first(from, controls),
    nextOrNewline: (from: number): number => first(from, newlineToo),
  };

  function first(from: number, marks: Uint8Array): number {
    const common = nextCommon(scanned, from, marks);
    if (rare < from) rare = nextRare(bytes, from);
    return Math.min(common, rare);
  }
}

const controls = new Uint8Array(256).fill(1, 0, 0x20);
controls[0x09] = 0;
controls[0x0a] = 0;
const newlineToo = controls.slice().fill(1, 0x0a, 0x0b);

interface Scanned {
  readonly bytes: Buffer;
  readonly words: Int32Array;
  readonly offset: number;
}

function nextCommon(scanned: Scanned, from: number, marks: Uint8Array): number {
  const { bytes, words, offset } = scanned;
  const { length } = bytes;
  if (from < offset) {
    const found = firstStop(bytes, from, Math.min(offset, length), marks);
    if (found >= 0) return found;
  }
  const past = Math.max(0, from - offset);
  /** Ignores bytes before `from` in the first word. */
  let mask = -1 << ((past & 3) * 8);
  for (let word = past >> 2; word < words.length; word++) {
    const four = words[word] as number;
    // A byte below 0x20 borrows from its top bit; bytes above 0x7f had that bit before.
    const flags = (four - 0x20202020) & ~four & 0x80808080 & mask;
    mask = -1;
    if (flags === 0) continue;
    const start = offset + word * 4;
    if ((flags & (flags - 1)) !== 0) {
      const found = firstStop(bytes, Math.max(from, start), start + 4, marks);
      if (found >= 0) return found;
    } else {
      const shift = 24 - Math.clz32(flags);
      if (marks[(four >>> shift) & 0xff] === 1) return start + (shift >> 3);
    }
  }
  const rest = firstStop(bytes, Math.max(from, offset + words.length * 4), length, marks);
  return rest < 0 ? length : rest;
}

function firstStop(bytes: Buffer, from: number, to: number, marks: Uint8Array): number {
  for (let at = from; at < to; at++) {
    if (marks[bytes[at] as number] === 1) return at;
  }
  return -1;
}

/** Finds DEL, and the C1 controls U+0080 to U+009F, which start with C2 in UTF-8. */
function nextRare(bytes: Buffer, from: number): number {
  const del = bytes.indexOf(0x7f, from);
  let c1 = bytes.indexOf(0xc2, from);
  while (c1 >= 0 && (bytes[c1 + 1] ?? 0xff) >= 0xa0) c1 = bytes.indexOf(0xc2, c1 + 1);
  return Math.min(del < 0 ? bytes.length : del, c1 < 0 ? bytes.length : c1);
}
