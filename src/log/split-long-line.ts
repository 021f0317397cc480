/** Where a line that is too long to be buffered may be cut without tearing a character or an escape. */

const escape = 0x1b;
const backslash = 0x5c;
const newline = 0x0a;
/** Introducers of string sequences after ESC: `P X ] ^ _`. */
const strings: readonly number[] = [0x50, 0x58, 0x5d, 0x5e, 0x5f];
/** BEL ends a string sequence; CAN and SUB break it off. */
const stringTerminators: readonly number[] = [0x07, 0x18, 0x1a];
/** No other sequence is longer (`sequences.ts`). */
const longestSequence = 80;

export interface LineSplit {
  /** Where the piece that can be worked on ends. */
  readonly end: number;
  /** A string sequence opens there, and goes on past the limit. */
  readonly inString: boolean;
}

/** The cut of a line whose first bytes, up to the limit, are `piece`. */
export function splitPoint(piece: Buffer): LineSplit {
  const opened = openString(piece);
  if (opened >= 0) return { end: opened, inString: true };
  const last = piece.lastIndexOf(escape);
  if (last > piece.length - longestSequence) return { end: last, inString: false };
  return { end: piece.length - tornBytes(piece), inString: false };
}

/** What follows the string sequence that `bytes` are inside of. */
export function afterString(bytes: Buffer): { rest: Buffer; ended: boolean } {
  const end = bytes.findIndex(
    (byte) => byte === escape || byte === newline || stringTerminators.includes(byte),
  );
  if (end < 0) return { rest: bytes.subarray(bytes.length), ended: false };
  if (bytes[end] === newline) return { rest: bytes.subarray(end), ended: true };
  if (bytes[end] !== escape) return { rest: bytes.subarray(end + 1), ended: true };
  if (end + 1 === bytes.length) return { rest: bytes.subarray(end), ended: false };
  return { rest: bytes.subarray(bytes[end + 1] === backslash ? end + 2 : end), ended: true };
}

/** Where a string sequence begins that the piece does not end; -1 when there is none. */
function openString(piece: Buffer): number {
  const last = piece.lastIndexOf(escape);
  const atEnd = last === piece.length - 1;
  const start = atEnd && last > 0 ? piece.lastIndexOf(escape, last - 1) : last;
  if (start < 0 || !strings.includes(piece[start + 1] ?? 0)) return -1;
  const body = piece.subarray(start + 2);
  return body.some((byte) => stringTerminators.includes(byte)) ? -1 : start;
}

/** How many bytes at the end begin a character that is not all there: 0 to 3. */
function tornBytes(piece: Buffer): number {
  for (let back = 1; back <= 3; back++) {
    const byte = piece[piece.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const size = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return size > back ? back : 0;
  }
  return 0;
}
