import type { Stage } from './stage.ts';
import { mapLines } from './text.ts';

export interface Times {
  first: number | undefined;
}

/** In milliseconds. A `Date` after this is invalid. */
export const latestTime = 8.64e15;

/** Reads the marks of consecutive settled lines. */
export function markReader(times: Times) {
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
      const time = timeOfMark(body, last);
      if (time !== undefined && pass(time)) first ??= time;
    }
    const text = bare(line);
    // A mark at the very end belongs to a line that was never printed.
    return first === undefined || text === '' ? text : `\x1b_bk;t=${first}\x07${text}`;
  }

  function pass(time: number): boolean {
    if (!(time <= latestTime)) return false;
    times.first ??= time;
    last = time;
    return true;
  }
}

/** Parses `bk;t=1700000000000` or `bk;dt=5` (relative to the last mark). Other keys are ignored. */
function timeOfMark(body: string, last: number | undefined): number | undefined {
  const time = Number(/;t=(\d{1,17})(?:;|$)/.exec(body)?.[1] ?? NaN);
  if (time <= latestTime) return time;
  const delta = Number(/;dt=(\d{1,17})(?:;|$)/.exec(body)?.[1] ?? NaN);
  return last === undefined ? undefined : last + delta;
}

/** Leaves at most one mark per line: `ESC _ bk;t=TIME BEL` at the start, with the earliest time. */
export function oneMarkALine(times: Times = { first: undefined }): Stage {
  const { oneMark } = markReader(times);
  return { push: (lines) => mapLines(lines, oneMark), end: () => '' };
}

export const markStart = '\x1b_bk;t=';
const usualMark = /^\x1b_bk;t=(\d{1,17})\x07/;
const anyMark = /\x1b_(bk;[^\x07\x18\x1a\x1b\n]*)(?:\x07|\x1b\\)/g;

const bare = (line: string): string => line.replace(anyMark, '');

export function splitMark(line: string): { time: number | undefined; rest: string } {
  if (!line.startsWith(markStart)) return { time: undefined, rest: line };
  const end = line.indexOf('\x07');
  return { time: Number(line.slice(markStart.length, end)), rest: line.slice(end + 1) };
}

/** 13 digits are enough until the year 2286. */
const usualDigits = 13;
export const usualLength = markStart.length + usualDigits + 1;

/** The time of a normalized mark with 13 digits at offset `at`, otherwise -1. */
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

/** Like `usualTime`, but for bytes. */
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

/** Where the text of a settled line begins. A sequence may precede the first character. */
export function startOfText(bytes: Uint8Array, at: number) {
  const hasMark = bytes[at] === escape && bytes[at + 1] === 0x5f;
  const text = hasMark ? bytes.indexOf(bell, at) + 1 : at;
  return {
    time: hasMark ? timeOf(bytes, at + markStart.length, text - 1) : undefined,
    text,
    /** Whether the first character could start a header. This excludes nearly all lines quickly. */
    mayBeMarker: isMarker(bytes, text),
  };
}

const escape = 0x1b;

function timeOf(bytes: Uint8Array, from: number, to: number): number {
  let time = 0;
  for (let at = from; at < to; at++) time = time * 10 + (bytes[at] as number) - 0x30;
  return time;
}

function isMarker(bytes: Uint8Array, start: number): boolean {
  let at = start;
  while (bytes[at] === escape) at = endOfSequence(bytes, at);
  const first = bytes[at];
  return first === 0x2d || first === 0x7e || first === 0x2b || first === 0x5e;
}

/** Returns where a color or a link ends. Settled lines contain no other sequences. */
function endOfSequence(bytes: Uint8Array, at: number): number {
  const isColour = bytes[at + 1] === 0x5b;
  let end = at + 2;
  while (end < bytes.length && !(isColour ? bytes[end] === 0x6d : isStringEnd(bytes, end))) end++;
  return end + 1;
}

const isStringEnd = (bytes: Uint8Array, at: number): boolean =>
  bytes[at] === bell || (bytes[at] === 0x5c && bytes[at - 1] === escape);
