import { type Keep, endOfReturns, endOfStrippable, isKept } from './sequences.ts';

/** Lines that are settled, and where in the bytes the first line begins that is not. */
export interface Stripped {
  readonly lines: string;
  readonly end: number;
}

/**
 * Settles lines by taking sequences out, as long as that is all they need: up to a line with other
 * control characters, or with a sequence that moves the cursor or is not finished.
 */
export function strip(scanned: ScannedBytes, from: number, keep: Keep): Stripped {
  const { bytes, text, controls } = scanned;
  let lines = '';
  /** What lies from here to `at` is to be copied. */
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
  // What is settled before the line that is not.
  const end = at === from ? from : Math.max(from, text.lastIndexOf('\n', at - 1) + 1);
  if (end >= start) return { lines: lines + text.slice(start, end), end };
  return { lines: lines.slice(0, lines.lastIndexOf('\n') + 1), end };
}

const escape = 0x1b;

/** A block of a log as it is looked through: many times over, so it is prepared once. */
export interface ScannedBytes {
  readonly bytes: Buffer;
  /** The same, a character a byte: V8 joins parts of it faster than bytes are copied. */
  readonly text: string;
  readonly controls: Controls;
}

/** Of the same block as before, what was prepared then. */
export function scanBytes(): (bytes: Buffer) => ScannedBytes {
  let last: ScannedBytes | undefined;
  return (bytes) => {
    if (last?.bytes === bytes) return last;
    last = { bytes, text: bytes.toString('latin1'), controls: scanControls(bytes) };
    return last;
  };
}

/** Where in the bytes of a log something else than text stands, found four bytes at a time. */
interface Controls {
  /**
   * The first byte at or after `from` that is below a space, but for tab and newline, or that is
   * part of a DEL or a C1 control; the length if there is none.
   */
  next(from: number): number;
  /** The same, or a newline where that comes first. */
  nextOrNewline(from: number): number;
}

export function scanControls(bytes: Buffer): Controls {
  const offset = -bytes.byteOffset & 3;
  const count = Math.max(0, bytes.length - offset) >> 2;
  // Of no words the place may lie behind the memory, which even an empty view must not.
  const start = count === 0 ? 0 : bytes.byteOffset + offset;
  const words = new Int32Array(bytes.buffer, start, count);
  const scanned = { bytes, words, offset };
  let rare = nextRare(bytes, 0);
  return {
    next: (from) => first(from, controls),
    nextOrNewline: (from) => first(from, newlineToo),
  };

  function first(from: number, marks: Uint8Array): number {
    const common = nextCommon(scanned, from, marks);
    if (rare < from) rare = nextRare(bytes, from);
    return Math.min(common, rare);
  }
}

/** 1 for the bytes to look for. */
const controls = new Uint8Array(256).fill(1, 0, 0x20);
controls[0x09] = 0;
controls[0x0a] = 0;
const newlineToo = controls.slice().fill(1, 0x0a, 0x0b);

interface Scanned {
  readonly bytes: Buffer;
  /** The same from `offset` on. */
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
  /** Of the first word, only the bytes from `from` on. */
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
      // Mostly a newline.
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

/** DEL, and U+0080 to U+009F, which in UTF-8 begin with C2. */
function nextRare(bytes: Buffer, from: number): number {
  const del = bytes.indexOf(0x7f, from);
  let c1 = bytes.indexOf(0xc2, from);
  while (c1 >= 0 && (bytes[c1 + 1] ?? 0xff) >= 0xa0) c1 = bytes.indexOf(0xc2, c1 + 1);
  return Math.min(del < 0 ? bytes.length : del, c1 < 0 ? bytes.length : c1);
}
