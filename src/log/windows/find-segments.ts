import { lineKind } from './line-kind.ts';

/**
 * A part of a log that is settled by itself: it begins with a line, and nothing behind it changes what it
 * shows. Of a line beyond all measure only the beginning is in one; `end` is then before the next `start`.
 */
export interface SegmentBytes {
  /** Offset in the log. */
  readonly start: number;
  readonly end: number;
  readonly bytes: Buffer;
  readonly ending: Ending;
  /** Its lines stand as they are but for colours and marks, and none is a header. */
  readonly isPlain: boolean;
}

/**
 * `calm`: the cursor is on a new line, and does not go back. `forced`: wherever it is, as the segment would
 * be too large. `open`: more may come.
 */
export type Ending = 'calm' | 'forced' | 'open';

export interface SegmentLimits {
  /** Bytes; a segment goes on until a line ends behind so many. */
  readonly least: number;
  /** Behind so many it ends whatever the cursor does. */
  readonly most: number;
  /** No cursor goes up further, in lines. */
  readonly rows: number;
}

/** So small that any window of lines is read in a moment. */
export const usualLimits: SegmentLimits = { least: 64 * 1024, most: 1024 * 1024, rows: 100 };

export interface SegmentFinder {
  /** Bytes that follow those before; gives what is complete by then. Where they are split does not matter. */
  push(chunk: Uint8Array): SegmentBytes[];
  /** What is not complete yet. */
  rest(): SegmentBytes;
}

/** Finds the segments of a log from its beginning on. */
export function findSegments({ least, most, rows }: SegmentLimits = usualLimits): SegmentFinder {
  /** The segment that is not complete, from `start` in the log on. */
  let bytes = Buffer.alloc(0);
  let start = 0;
  /** Up to here in `bytes`, lines were looked at. */
  let seen = 0;
  /** Lines since the cursor went up. */
  let calmLines = rows;
  /** Where the segment may end, once enough lines have followed. */
  let candidate: { readonly at: number; lines: number } | undefined;
  /** All lines up to the candidate, and those behind it. */
  let isPlain = true;
  let isPlainBehind = true;
  /** Inside a line of which the rest is left out. */
  let isSkipping = false;

  return {
    push(chunk) {
      const complete: SegmentBytes[] = [];
      bytes = Buffer.concat([bytes, chunk]);
      while (isSkipping ? skip() : nextLine(complete));
      return complete;
    },
    rest: () => ({ start, end: start + bytes.length, bytes, ending: 'open', isPlain: false }),
  };

  /** False where more bytes are needed. */
  function nextLine(complete: SegmentBytes[]): boolean {
    const newline = bytes.indexOf(0x0a, seen);
    const length = (newline < 0 ? bytes.length : newline) - seen;
    if (length >= most) {
      complete.push(cut(seen + most, 'forced'));
      isSkipping = true;
      return true;
    }
    if (newline < 0) return false;
    look(newline);
    seen = newline + 1;
    if (candidate !== undefined && candidate.lines >= rows)
      complete.push(cut(candidate.at, 'calm'));
    else if (seen >= most) complete.push(cut(seen, 'forced'));
    else if (candidate === undefined && seen >= least && calmLines >= rows)
      candidate = { at: seen, lines: 0 };
    return true;
  }

  function look(newline: number): void {
    const kind = lineKind(bytes, seen, newline);
    if (candidate === undefined) isPlain &&= kind === 'plain';
    else isPlainBehind &&= kind === 'plain';
    if (kind === 'moving') {
      isPlain = false;
      calmLines = 0;
      candidate = undefined;
    } else {
      calmLines += 1;
      if (candidate !== undefined) candidate.lines += 1;
    }
  }

  function cut(at: number, ending: Ending): SegmentBytes {
    const isPlainHere = isPlain && ending === 'calm';
    const segment = {
      ...{ start, end: start + at, bytes: bytes.subarray(0, at) },
      ...{ ending, isPlain: isPlainHere },
    };
    isPlain = candidate === undefined || isPlainBehind;
    isPlainBehind = true;
    bytes = bytes.subarray(at);
    start += at;
    seen = Math.max(0, seen - at);
    candidate = undefined;
    return segment;
  }

  function skip(): boolean {
    const newline = bytes.indexOf(0x0a);
    const end = newline < 0 ? bytes.length : newline + 1;
    bytes = bytes.subarray(end);
    start += end;
    seen = 0;
    isSkipping = newline < 0;
    return !isSkipping;
  }
}
