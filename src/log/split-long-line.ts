/** Where a line that is too long to be buffered may be cut without tearing a character or an escape. */

const escape = 0x1b;
const backslash = 0x5c;
const newline = 0x0a;
/** Introducers of string sequences after ESC: `P X ] ^ _`. */
const strings: readonly number[] = [0x50, 0x58, 0x5d, 0x5e, 0x5f];
/** BEL ends a string sequence; CAN and SUB break it off. */
const stringTerminators: readonly number[] = [0x07, 0x18, 0x1a];
const openingBracket = 0x5b;
/** Neither string nor control sequences are longer: `ESC ( B` with all its intermediates. */
const longestShort = 80;

export interface LineSplit {
  /** Where the piece that can be worked on ends. */
  readonly end: number;
  /** A sequence opens there, and goes on past the limit. */
  readonly inside?: 'string' | 'control';
  /** What stands for that sequence: a picture without its data. */
  readonly replacement?: Buffer;
}

/** The cut of a line whose first bytes, up to the limit, are `piece`. */
export function splitPoint(piece: Buffer): LineSplit {
  const opened = openString(piece);
  if (opened >= 0) return { end: opened, inside: 'string', ...withoutData(piece, opened) };
  const last = piece.lastIndexOf(escape);
  if (last === 0 && isOpenControl(piece, last)) return { end: 0, inside: 'control' };
  if (last > piece.length - longestShort || isOpenControl(piece, last)) return { end: last };
  return { end: piece.length - tornBytes(piece) };
}

/** A control sequence that the piece does not end: nothing but parameters follows. */
function isOpenControl(piece: Buffer, start: number): boolean {
  if (start < 0 || piece[start + 1] !== openingBracket) return false;
  return !piece.subarray(start + 2).some((byte) => !isParameter(byte));
}

const isParameter = (byte: number): boolean => byte >= 0x20 && byte < 0x40;

const pictureStart = '\x1b]1337;File=';
/** What is before the data of a picture: its name, among others. */
const longestPictureStart = 4096;

function withoutData(piece: Buffer, start: number): { replacement?: Buffer } {
  const head = piece.toString('latin1', start, start + longestPictureStart);
  const colon = head.indexOf(':');
  if (!head.startsWith(pictureStart) || colon < 0) return {};
  return { replacement: Buffer.from(`${head.slice(0, colon + 1)}\x07`, 'latin1') };
}

/** What follows the control sequence that `bytes` are inside of. */
export function afterControl(bytes: Buffer): Rest {
  const end = bytes.findIndex((byte) => !isParameter(byte));
  if (end < 0) return { rest: bytes.subarray(bytes.length), ended: false };
  const isFinal = (bytes[end] as number) >= 0x40 && (bytes[end] as number) < 0x7f;
  return { rest: bytes.subarray(isFinal ? end + 1 : end), ended: true };
}

interface Rest {
  readonly rest: Buffer;
  readonly ended: boolean;
}

/** What follows the string sequence that `bytes` are inside of. */
export function afterString(bytes: Buffer): Rest {
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
