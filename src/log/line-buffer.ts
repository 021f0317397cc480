import { isParameter, isString } from './sequences.ts';
import type { Stage } from './stage.ts';

/** In bytes. Longer lines are processed in chunks, to limit memory use. */
export const longestLine = 256 * 1024;

/** Small enough that only the first line in each step can be overlong. */
const step = 64 * 1024;

/** Collects whole lines. Splits overlong lines at the same places, however the input is chunked. */
export function createLineBuffer(cutAt: (piece: Buffer) => LineSplit = splitPoint) {
  let parts: Uint8Array[] = [];
  let length = 0;
  /** Set inside a sequence that exceeds the limit. The rest of the sequence is dropped. */
  let inside: LineSplit['inside'];

  return {
    /** Each block ends with a newline, or is a chunk of a line over `longestLine`. */
    push(chunk: Uint8Array): Buffer[] {
      const blocks: Buffer[] = [];
      for (let start = 0; start < chunk.length; start += step) {
        add(chunk.subarray(start, start + step), blocks);
      }
      return blocks;
    },
    end: (): Buffer => (inside === undefined ? Buffer.concat(parts) : Buffer.alloc(0)),
  };

  /** Copies only lines that began in an earlier chunk. */
  function add(slice: Uint8Array, blocks: Buffer[]): void {
    const first = parts.length === 0 ? 0 : slice.indexOf(newline) + 1;
    if (first > 0) take(slice.subarray(0, first), blocks);
    if (first < slice.length) take(slice.subarray(first), blocks);
  }

  function take(slice: Uint8Array, blocks: Buffer[]): void {
    parts.push(slice);
    length += slice.length;
    if (inside === undefined && length <= longestLine && !slice.includes(newline)) return;
    const bytes = cutLongLine(asBuffer(parts), blocks);
    const end = inside === undefined ? bytes.lastIndexOf(newline) + 1 : 0;
    if (end > 0) blocks.push(bytes.subarray(0, end));
    parts = end < bytes.length ? [bytes.subarray(end)] : [];
    length = bytes.length - end;
  }

  function cutLongLine(bytes: Buffer, blocks: Buffer[]): Buffer {
    for (;;) {
      if (inside !== undefined) {
        const { rest, ended } = inside === 'string' ? afterString(bytes) : afterControl(bytes);
        if (!ended) return rest;
        inside = undefined;
        bytes = rest;
      }
      const end = bytes.indexOf(newline);
      if ((end < 0 ? bytes.length : end) <= longestLine) return bytes;
      const cut = cutAt(bytes.subarray(0, longestLine));
      if (cut.end > 0) blocks.push(bytes.subarray(0, cut.end));
      if (cut.replacement) blocks.push(cut.replacement);
      inside = cut.inside;
      bytes = bytes.subarray(inside === undefined ? cut.end : cut.end + 2);
    }
  }
}

const newline = 0x0a;

function asBuffer(parts: readonly Uint8Array[]): Buffer {
  const [only] = parts;
  if (parts.length > 1 || only === undefined) return Buffer.concat(parts);
  return Buffer.from(only.buffer, only.byteOffset, only.byteLength);
}

export function rawLines(): Stage<Uint8Array> {
  const blocks = createLineBuffer(({ length }) => ({ end: length }));
  return {
    push: (chunk) =>
      blocks
        .push(chunk)
        .map((block) => block.toString('latin1'))
        .join(''),
    end: () => blocks.end().toString('latin1'),
  };
}

const escape = 0x1b;
const stringTerminators: readonly number[] = [0x07, 0x18, 0x1a];
/** Maximum length of sequences without a limit of their own, such as `ESC ( B`. */
const longestShort = 80;

interface LineSplit {
  readonly end: number;
  readonly inside?: 'string' | 'control';
  /** Replaces the sequence, for example by an image without its data */
  readonly replacement?: Buffer;
}

/** Returns where to split an overlong line without splitting a character or a sequence. */
function splitPoint(piece: Buffer): LineSplit {
  const opened = openString(piece);
  if (opened >= 0) return { end: opened, inside: 'string', ...withoutData(piece, opened) };
  const last = piece.lastIndexOf(escape);
  if (last === 0 && isOpenControl(piece, last)) return { end: 0, inside: 'control' };
  if (last > piece.length - longestShort || isOpenControl(piece, last)) return { end: last };
  return { end: piece.length - tornBytes(piece) };
}

/** Whether a control sequence starts at `start` and the rest consists of its parameters. */
function isOpenControl(piece: Buffer, start: number): boolean {
  if (start < 0 || piece[start + 1] !== 0x5b) return false;
  return !piece.subarray(start + 2).some((byte) => !isParameter(byte));
}

function withoutData(piece: Buffer, start: number): { replacement?: Buffer } {
  const head = piece.toString('latin1', start, start + 4096);
  const colon = head.indexOf(':');
  if (!head.startsWith('\x1b]1337;File=') || colon < 0) return {};
  return { replacement: Buffer.from(`${head.slice(0, colon + 1)}\x07`, 'latin1') };
}

/** Skips the rest of a control sequence that began before `bytes`. */
function afterControl(bytes: Buffer) {
  const end = bytes.findIndex((byte) => !isParameter(byte));
  if (end < 0) return { rest: bytes.subarray(bytes.length), ended: false };
  const isFinal = (bytes[end] as number) >= 0x40 && (bytes[end] as number) < 0x7f;
  return { rest: bytes.subarray(isFinal ? end + 1 : end), ended: true };
}

/** Skips the rest of a string sequence that began before `bytes`. */
function afterString(bytes: Buffer) {
  const end = bytes.findIndex(
    (byte) => byte === escape || byte === newline || stringTerminators.includes(byte),
  );
  if (end < 0) return { rest: bytes.subarray(bytes.length), ended: false };
  if (bytes[end] === newline) return { rest: bytes.subarray(end), ended: true };
  if (bytes[end] !== escape) return { rest: bytes.subarray(end + 1), ended: true };
  if (end + 1 === bytes.length) return { rest: bytes.subarray(end), ended: false };
  return { rest: bytes.subarray(bytes[end + 1] === 0x5c ? end + 2 : end), ended: true };
}

function openString(piece: Buffer): number {
  const last = piece.lastIndexOf(escape);
  const atEnd = last === piece.length - 1;
  const start = atEnd && last > 0 ? piece.lastIndexOf(escape, last - 1) : last;
  if (start < 0 || !isString(piece[start + 1] ?? 0)) return -1;
  const body = piece.subarray(start + 2);
  return body.some((byte) => stringTerminators.includes(byte)) ? -1 : start;
}

function tornBytes(piece: Buffer): number {
  for (let back = 1; back <= 3; back++) {
    const byte = piece[piece.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const size = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return size > back ? back : 0;
  }
  return 0;
}
