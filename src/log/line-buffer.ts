import { afterString, splitPoint, type LineSplit } from './split-long-line.ts';

/** A line with more bytes is worked on in pieces, so that memory stays flat: 256 KiB. */
const longestLine = 256 * 1024;

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
  /** Inside a string sequence that the limit has cut in two: the rest of it is left out. */
  let inString = false;

  return {
    push(chunk) {
      const blocks: Buffer[] = [];
      for (let start = 0; start < chunk.length; start += step) {
        add(chunk.subarray(start, start + step), blocks);
      }
      return blocks;
    },
    end: () => (inString ? Buffer.alloc(0) : Buffer.concat(parts)),
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
    if (!inString && length <= longestLine && !slice.includes(newline)) return;
    const bytes = cutLongLine(asBuffer(parts), blocks);
    const end = inString ? 0 : bytes.lastIndexOf(newline) + 1;
    if (end > 0) blocks.push(bytes.subarray(0, end));
    parts = end < bytes.length ? [bytes.subarray(end)] : [];
    length = bytes.length - end;
  }

  /** Cuts pieces off until the first line is short enough, or its string sequence goes on. */
  function cutLongLine(bytes: Buffer, blocks: Buffer[]): Buffer {
    for (;;) {
      if (inString) {
        const { rest, ended } = afterString(bytes);
        if (!ended) return rest;
        inString = false;
        bytes = rest;
      }
      const end = bytes.indexOf(newline);
      if ((end < 0 ? bytes.length : end) <= longestLine) return bytes;
      const cut = cutAt(bytes.subarray(0, longestLine));
      if (cut.end > 0) blocks.push(bytes.subarray(0, cut.end));
      inString = cut.inString;
      bytes = bytes.subarray(cut.inString ? cut.end + 2 : cut.end);
    }
  }
}

const newline = 0x0a;

function asBuffer(parts: readonly Uint8Array[]): Buffer {
  const [only] = parts;
  if (parts.length > 1 || only === undefined) return Buffer.concat(parts);
  return Buffer.from(only.buffer, only.byteOffset, only.byteLength);
}
