import { settle } from './settle.ts';
import { chain } from './stage.ts';
import { plain, styleAfter, transition, type Style } from './style.ts';
import { startOfLast } from './text.ts';
import { oneMarkALine } from './time-marks.ts';

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

interface SegmentLimits {
  /** Bytes; a segment goes on until a line ends behind so many. */
  readonly least: number;
  /** Behind so many it ends whatever the cursor does. */
  readonly most: number;
  /** No cursor goes up further, in lines. */
  readonly rows: number;
}

/** So small that any window of lines is read in a moment. */
export const usualLimits: SegmentLimits = { least: 64 * 1024, most: 1024 * 1024, rows: 100 };

interface SegmentFinder {
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

/**
 * What is to be done with a raw line: nothing, as its text stands as it is but for colours and a mark;
 * to settle it; or to settle it together with those around it, because a cursor may leave it. In doubt, more.
 */
type LineKind = 'plain' | 'single' | 'moving';

/** The kind of the line at these bytes, its newline left out. */
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

/** `---` and the like, or with a sequence within. */
function mayBeHeader(bytes: Uint8Array, at: number): boolean {
  const next = bytes[at + 1];
  return next === bytes[at] || next === escape;
}

/** A return at the end of the line, and characters that are no controls. */
function isHarmless(bytes: Uint8Array, at: number, to: number): boolean {
  if (bytes[at] === 0xc2) return (bytes[at + 1] ?? 0) >= 0xa0;
  return bytes[at] === 0x0d && at === to - 1;
}

/** Where a colour or a mark ends; -1 where there is another sequence. */
function endOfPlain(bytes: Uint8Array, at: number, to: number): number {
  const isColour = bytes[at + 1] === 0x5b;
  if (!isColour && bytes[at + 1] !== 0x5f) return -1;
  let end = at + 2;
  while (end < to && (isColour ? isDigit(bytes[end] ?? 0) : (bytes[end] ?? 0) >= 0x20)) end++;
  return bytes[end] === (isColour ? 0x6d : 0x07) ? end + 1 : -1;
}

/** Digits, `:` and `;`. */
const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x3b;

/** Strings, what is erased in a line, and steps along it. */
function staysInLine(bytes: Uint8Array, at: number): boolean {
  if (bytes[at] !== 0x5b) return strings.has(bytes[at] ?? 0);
  let final = at + 1;
  while (isParameter(bytes[final] ?? 0)) final++;
  return inLine.has(bytes[final] ?? 0);
}

/** What comes between `ESC [` and the end of the sequence. */
const isParameter = (byte: number): boolean => byte >= 0x20 && byte < 0x40;

const codes = (characters: string): ReadonlySet<number> =>
  new Set(Array.from(characters, (character) => character.charCodeAt(0)));

/** What begins a string, and what closes it. */
const strings = codes('_]P^X\\');
const inLine = codes('mKGCDPX@`ab');

interface SettledSegment {
  /** Lines with colours, links and one mark a line, which begin with no style. */
  readonly lines: string;
  /** What the next segment begins with. */
  readonly after: Style;
}

/** The lines of a segment by itself. `before`: the style that it begins with. */
export function settleSegment(
  bytes: Uint8Array,
  { before, ending }: { readonly before: Style; readonly ending: Ending },
): SettledSegment {
  const stage = chain(settle({ marks: true, colours: true, links: true }), oneMarkALine());
  const start = stage.push(Buffer.from(transition(plain, before)));
  const shown = start + stage.push(bytes);
  if (ending !== 'calm') {
    const settled = shown + stage.end();
    const lines = ending === 'open' || settled.endsWith('\n') ? settled : `${settled}\n`;
    return { lines, after: styleAfter(plain, lines) };
  }
  // A character more shows the style of what follows: without text, sequences may leave no trace.
  const lines = shown + stage.push(probe) + stage.end();
  return {
    lines: lines.slice(0, startOfLast(lines, 1)),
    after: styleAfter(plain, lines.slice(0, lines.lastIndexOf('x'))),
  };
}

const probe = Buffer.from('x');
