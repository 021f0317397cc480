import type { Stage } from './stage.ts';
import { mapLines } from './text.ts';

/** What one time mark says: milliseconds since the epoch, or since the mark before. */
interface TimeMark {
  readonly t?: number;
  readonly dt?: number;
}

/** When the log began, as soon as a mark says so. */
export interface Times {
  first: number | undefined;
}

/** `bk;t=1700000000000;dt=5`, in any order and with other keys; undefined when it says no time. */
function readMark(body: string): TimeMark | undefined {
  const t = readTime(/;t=(\d{1,17})(?:;|$)/.exec(body)?.[1]);
  if (t !== undefined) return { t };
  const dt = readTime(/;dt=(\d{1,17})(?:;|$)/.exec(body)?.[1]);
  return dt === undefined ? undefined : { dt };
}

/** Beyond this a `Date` is invalid. */
const latest = 8.64e15;

function readTime(digits: string | undefined): number | undefined {
  const time = Number(digits);
  return digits !== undefined && time <= latest ? time : undefined;
}

/** Reads the marks of one line after the other. */
interface MarkReader {
  /** Notes a time that a mark says; false where it says none. */
  readonly pass: (time: number) => boolean;
  /** A settled line in the one form that `oneMarkALine` describes. */
  readonly oneMark: (line: string) => string;
}

export function markReader(times: Times): MarkReader {
  let last: number | undefined;
  return { pass, oneMark };

  function oneMark(line: string): string {
    const usual = usualMark.exec(line);
    if (usual && line.length > usual[0].length && !line.includes('\x1b_', 1))
      return pass(Number(usual[1])) ? line : bare(line);
    return line.includes('\x1b_') ? rewrite(line) : line;
  }

  function rewrite(line: string): string {
    let first: number | undefined;
    for (const [, body = ''] of line.matchAll(anyMark)) {
      const mark = readMark(body);
      const time = mark?.t ?? (last === undefined ? undefined : last + (mark?.dt ?? NaN));
      if (time !== undefined && pass(time)) first ??= time;
    }
    const text = bare(line);
    // A mark at the very end is the time of a line that never came.
    return first === undefined || text === '' ? text : `\x1b_bk;t=${first}\x07${text}`;
  }

  function pass(time: number): boolean {
    if (!(time <= latest)) return false;
    times.first ??= time;
    last = time;
    return true;
  }
}

/**
 * Brings settled lines with their marks to one form: a line has one mark, `ESC _ bk;t=TIME BEL` at
 * its beginning, with the time of the first mark on it that says one; or it has none.
 */
export function oneMarkALine(times: Times = { first: undefined }): Stage {
  const { oneMark } = markReader(times);
  return { push: (lines) => mapLines(lines, oneMark), end: () => '' };
}

/** What a mark in the one form begins with. */
export const markStart = '\x1b_bk;t=';
const usualMark = /^\x1b_bk;t=(\d{1,17})\x07/;
const anyMark = /\x1b_(bk;[^\x07\x18\x1a\x1b\n]*)(?:\x07|\x1b\\)/g;

const bare = (line: string): string => line.replace(anyMark, '');

/** Parts a line from its mark, which is in the one form. */
export function splitMark(line: string): { time: number | undefined; rest: string } {
  if (!line.startsWith(markStart)) return { time: undefined, rest: line };
  const end = line.indexOf('\x07');
  return { time: Number(line.slice(markStart.length, end)), rest: line.slice(end + 1) };
}

/** What a mark in the one form has before the year 2287. */
const usualDigits = 13;
export const usualLength = markStart.length + usualDigits + 1;

/** The time of such a mark at `at`; -1 where another is. */
export function usualTime(lines: string, at: number): number {
  const end = at + usualLength - 1;
  if (lines.charCodeAt(end) !== bell || !lines.startsWith(markStart, at)) return -1;
  let time = 0;
  for (let index = end - usualDigits; index < end; index++) {
    const digit = lines.charCodeAt(index) - zero;
    if (digit < 0 || digit > 9) return -1;
    time = time * 10 + digit;
  }
  return time;
}

const start = Array.from(markStart, (character) => character.charCodeAt(0));

/** The same of bytes. */
export function usualTimeOf(bytes: Uint8Array, at: number): number {
  const end = at + usualLength - 1;
  if (bytes[end] !== bell) return -1;
  for (let index = 0; index < start.length; index++) {
    if (bytes[at + index] !== start[index]) return -1;
  }
  let time = 0;
  for (let index = end - usualDigits; index < end; index++) {
    const digit = (bytes[index] as number) - zero;
    if (digit < 0 || digit > 9) return -1;
    time = time * 10 + digit;
  }
  return time;
}

const bell = 0x07;
const zero = 0x30;

/** What stands before the text of a settled line, read from its bytes. */
interface LineStart {
  /** From its mark. */
  readonly time: number | undefined;
  /** Where its text begins, or a sequence of it. */
  readonly text: number;
  /** Whether its first character is that of a header: nearly no line is one. */
  readonly mayBeMarker: boolean;
}

/** Reads it where the marks are in the one form of `oneMarkALine`. */
export function startOfText(bytes: Uint8Array, at: number): LineStart {
  if (bytes[at] !== escape || bytes[at + 1] !== underscore)
    return { time: undefined, text: at, mayBeMarker: isMarker(bytes, at) };
  const text = bytes.indexOf(bellCode, at) + 1;
  return {
    time: timeOf(bytes, at + beforeTime, text - 1),
    text,
    mayBeMarker: isMarker(bytes, text),
  };
}

const escape = 0x1b;
const underscore = 0x5f;
const bellCode = 0x07;
/** `ESC _ bk;t=`. */
const beforeTime = 7;

function timeOf(bytes: Uint8Array, from: number, to: number): number {
  let time = 0;
  for (let at = from; at < to; at++) time = time * 10 + (bytes[at] as number) - 0x30;
  return time;
}

/** `-`, `~`, `+` or `^`, behind any sequences. */
function isMarker(bytes: Uint8Array, start: number): boolean {
  let at = start;
  while (bytes[at] === escape) at = endOfSequence(bytes, at);
  const first = bytes[at];
  return first === 0x2d || first === 0x7e || first === 0x2b || first === 0x5e;
}

/** Of colours or a link: the only sequences that a settled line has. */
function endOfSequence(bytes: Uint8Array, at: number): number {
  const isColour = bytes[at + 1] === 0x5b;
  let end = at + 2;
  while (end < bytes.length && !(isColour ? bytes[end] === 0x6d : isStringEnd(bytes, end))) end++;
  return end + 1;
}

const isStringEnd = (bytes: Uint8Array, at: number): boolean =>
  bytes[at] === bellCode || (bytes[at] === 0x5c && bytes[at - 1] === escape);
