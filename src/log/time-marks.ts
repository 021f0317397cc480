import type { Stage } from './stage.ts';
import { mapLines } from './text.ts';

/** Milliseconds since the epoch, or since the previous mark. */
interface TimeMark {
  readonly t?: number;
  readonly dt?: number;
}

/** When the log began; set by the first mark. */
export interface Times {
  first: number | undefined;
}

/** `bk;t=1700000000000;dt=5`, in any order and with other keys; undefined without a time. */
function readMark(body: string): TimeMark | undefined {
  const t = readTime(/;t=(\d{1,17})(?:;|$)/.exec(body)?.[1]);
  if (t !== undefined) return { t };
  const dt = readTime(/;dt=(\d{1,17})(?:;|$)/.exec(body)?.[1]);
  return dt === undefined ? undefined : { dt };
}

/** A `Date` beyond this is invalid. */
const latest = 8.64e15;

function readTime(digits: string | undefined): number | undefined {
  const time = Number(digits);
  return digits !== undefined && time <= latest ? time : undefined;
}

interface MarkReader {
  /** Records a time; false if it is invalid. */
  readonly pass: (time: number) => boolean;
  /** Converts a settled line to the form that `oneMarkALine` describes. */
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
    // A mark at the very end belongs to a line that never came.
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
 * Normalizes settled lines: each has one mark, `ESC _ bk;t=TIME BEL`, at its start, with its first
 * time, or none.
 */
export function oneMarkALine(times: Times = { first: undefined }): Stage {
  const { oneMark } = markReader(times);
  return { push: (lines) => mapLines(lines, oneMark), end: () => '' };
}

/** The start of a normalized mark. */
export const markStart = '\x1b_bk;t=';
const usualMark = /^\x1b_bk;t=(\d{1,17})\x07/;
const anyMark = /\x1b_(bk;[^\x07\x18\x1a\x1b\n]*)(?:\x07|\x1b\\)/g;

const bare = (line: string): string => line.replace(anyMark, '');

/** Splits a line with a normalized mark. */
export function splitMark(line: string): { time: number | undefined; rest: string } {
  if (!line.startsWith(markStart)) return { time: undefined, rest: line };
  const end = line.indexOf('\x07');
  return { time: Number(line.slice(markStart.length, end)), rest: line.slice(end + 1) };
}

/** Until the year 2286. */
const usualDigits = 13;
export const usualLength = markStart.length + usualDigits + 1;

/** The time of a normalized mark with 13 digits at `at`; -1 otherwise. */
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

/** The same for bytes. */
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

/** The start of a settled line with a normalized mark. */
interface LineStart {
  readonly time: number | undefined;
  /** Offset of the text, or of a sequence before it. */
  readonly text: number;
  /** Whether the first character is that of a header; hardly any line is one. */
  readonly mayBeMarker: boolean;
}

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
const beforeTime = 7;

function timeOf(bytes: Uint8Array, from: number, to: number): number {
  let time = 0;
  for (let at = from; at < to; at++) time = time * 10 + (bytes[at] as number) - 0x30;
  return time;
}

/** `-`, `~`, `+` or `^`, after any sequences. */
function isMarker(bytes: Uint8Array, start: number): boolean {
  let at = start;
  while (bytes[at] === escape) at = endOfSequence(bytes, at);
  const first = bytes[at];
  return first === 0x2d || first === 0x7e || first === 0x2b || first === 0x5e;
}

/** Of colors or a link, the only sequences in settled lines. */
function endOfSequence(bytes: Uint8Array, at: number): number {
  const isColour = bytes[at + 1] === 0x5b;
  let end = at + 2;
  while (end < bytes.length && !(isColour ? bytes[end] === 0x6d : isStringEnd(bytes, end))) end++;
  return end + 1;
}

const isStringEnd = (bytes: Uint8Array, at: number): boolean =>
  bytes[at] === bellCode || (bytes[at] === 0x5c && bytes[at - 1] === escape);
