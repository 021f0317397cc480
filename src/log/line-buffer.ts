import { afterControl, afterString, splitPoint, type LineSplit } from './split-long-line.ts';

/** A line with more bytes is worked on in pieces, so that memory stays flat: 256 KiB. */
export const longestLine = 256 * 1024;

/** Small enough that of each step only the first line can be over long. */
const step = 64 * 1024;

/** Gathers chunks, split anywhere, into blocks of whole lines. */
export interface LineBuffer {
  /** Each block ends with a newline, or is a piece of a line over `longestLine`. */
  push(chunk: Uint8Array): Buffer[];
  /** The last line where it lacks its newline; else nothing. */
  end(): Buffer;
}

/** Where an over long line is cut depends on its bytes alone, never on the chunks. */
export function createLineBuffer(cutAt: (piece: Buffer) => LineSplit = splitPoint): LineBuffer {
  let parts: Uint8Array[] = [];
  let length = 0;
  /** Inside a sequence that the limit has cut in two: the rest of it is left out. */
  let inside: LineSplit['inside'];

  return {
    push(chunk) {
      const blocks: Buffer[] = [];
      for (let start = 0; start < chunk.length; start += step) {
        add(chunk.subarray(start, start + step), blocks);
      }
      return blocks;
    },
    end: () => (inside === undefined ? Buffer.concat(parts) : Buffer.alloc(0)),
  };

  /** Only a line that is already begun has to be put together; the others stay where they are. */
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

  /** Cuts pieces off until the first line is short enough, or its sequence goes on. */
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
