import { isParameter, isString } from './sequences.ts';
import { linesWithMarks } from './settle.ts';
import { plain, styleAfter, transition, type Style } from './style.ts';
import { startOfLast } from './text.ts';

/** A part of a log whose lines do not depend on other parts. An overlong line is truncated. */
export interface SegmentBytes {
  readonly start: number;
  readonly end: number;
  readonly bytes: Buffer;
  readonly ending: Ending;
  /** Whether the lines have no header, so that only colors and marks need handling. */
  readonly isPlain: boolean;
}

/**
 * Why a segment ends: the cursor no longer moves up (`calm`), the segment is too large (`forced`),
 * or it is incomplete (`open`).
 */
export type Ending = 'calm' | 'forced' | 'open';

/** Small segments, so that any window of lines can be read quickly. */
export const usualLimits = {
  /** Minimum size of a segment in bytes. */
  least: 64 * 1024,
  /** A segment larger than this many bytes ends regardless of the cursor. */
  most: 1024 * 1024,
  /** Maximum number of rows that the cursor can move up. */
  rows: 100,
};

export function findSegments({ least, most, rows } = usualLimits) {
  /** The bytes of the incomplete segment, which begins at offset `start` of the log. */
  let bytes = Buffer.alloc(0);
  let start = 0;
  let seen = 0;
  let calmLines = rows;
  /** The segment may end here once enough lines have followed. */
  let candidate: { readonly at: number; lines: number } | undefined;
  /** Whether all lines before the candidate are plain, and whether all lines after it are. */
  let isPlain = true;
  let isPlainBehind = true;
  let isSkipping = false;

  return {
    push(chunk: Uint8Array): SegmentBytes[] {
      const complete: SegmentBytes[] = [];
      bytes = Buffer.concat([bytes, chunk]);
      while (isSkipping ? skip() : nextLine(complete));
      return complete;
    },
    rest: (): SegmentBytes => ({
      ...{ start, end: start + bytes.length, bytes },
      ...{ ending: 'open', isPlain: false },
    }),
  };

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
    const segment = {
      ...{ start, end: start + at, bytes: bytes.subarray(0, at) },
      ...{ ending, isPlain: isPlain && ending === 'calm' },
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

/**
 * `plain`: has nothing but colors and a mark; `single`: can be settled without other lines;
 * `moving`: the cursor may leave the line.
 */
type LineKind = 'plain' | 'single' | 'moving';

function lineKind(bytes: Uint8Array, from: number, to: number): LineKind {
  let kind: LineKind = 'plain';
  let isStart = true;
  for (let at = from; at < to; at++) {
    const byte = bytes[at] as number;
    const special = specials[byte] as number;
    if (special === 0) isStart = false;
    else if (special === marker) {
      if (isStart && mayBeHeader(bytes, at)) kind = 'single';
      isStart = false;
    } else if (byte === escape) {
      const end = endOfPlain(bytes, at, to);
      if (end < 0 && !staysInLine(bytes, at + 1)) return 'moving';
      if (end < 0) kind = 'single';
      else at = end - 1;
    } else if (!isHarmless(bytes, at, to)) kind = 'single';
  }
  return kind;
}

const escape = 0x1b;
const marker = 2;
const specials = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte === 0x2d || byte === 0x2b || byte === 0x7e || byte === 0x5e) return marker;
  return (byte < 0x20 && byte !== 0x09) || byte === 0x7f || byte === 0xc2 ? 1 : 0;
});

function mayBeHeader(bytes: Uint8Array, at: number): boolean {
  const next = bytes[at + 1];
  return next === bytes[at] || next === escape;
}

/** Whether the byte is not a control character, or is a carriage return at the end of the line. */
function isHarmless(bytes: Uint8Array, at: number, to: number): boolean {
  if (bytes[at] === 0xc2) return (bytes[at + 1] ?? 0) >= 0xa0;
  return bytes[at] === 0x0d && at === to - 1;
}

/** Where a color or mark ends; -1 for other sequences. */
function endOfPlain(bytes: Uint8Array, at: number, to: number): number {
  const isColour = bytes[at + 1] === 0x5b;
  if (!isColour && bytes[at + 1] !== 0x5f) return -1;
  let end = at + 2;
  while (end < to && (isColour ? isDigit(bytes[end] ?? 0) : (bytes[end] ?? 0) >= 0x20)) end++;
  return bytes[end] === (isColour ? 0x6d : 0x07) ? end + 1 : -1;
}

const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x3b;

/** Whether the sequence is a string, or only erases or moves within its line. */
function staysInLine(bytes: Uint8Array, at: number): boolean {
  if (bytes[at] !== 0x5b) return isString(bytes[at] ?? 0) || bytes[at] === 0x5c;
  let final = at + 1;
  while (isParameter(bytes[final] ?? 0)) final++;
  return inLine.has(bytes[final] ?? 0);
}

const inLine = new Set(Array.from('mKGCDPX@`ab', (final) => final.charCodeAt(0)));

/** `before` and `after` are the styles at the start and at the end. */
export function settleSegment(
  bytes: Uint8Array,
  { before, ending }: { readonly before: Style; readonly ending: Ending },
): { readonly lines: string; readonly after: Style } {
  const stage = linesWithMarks();
  const start = stage.push(Buffer.from(transition(plain, before)));
  const shown = start + stage.push(bytes);
  if (ending !== 'calm') {
    const settled = shown + stage.end();
    const lines = ending === 'open' || settled.endsWith('\n') ? settled : `${settled}\n`;
    return { lines, after: styleAfter(plain, lines) };
  }
  // A probe character shows the final style, because a style without text may not be printed.
  const lines = shown + stage.push(probe) + stage.end();
  return {
    lines: lines.slice(0, startOfLast(lines, 1)),
    after: styleAfter(plain, lines.slice(0, lines.lastIndexOf('x'))),
  };
}

const probe = Buffer.from('x');
