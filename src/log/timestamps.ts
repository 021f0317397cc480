import { createStamp } from './stamp.ts';
import { markReader, splitMark, usualLength, usualTime, type Times } from './time-marks.ts';
import type { Stage } from './stage.ts';
import { lineEnd } from './text.ts';
import type { TimestampKind } from './timestamp-kinds.ts';

export interface Timestamps extends Stage {
  readonly ahead: TimesAhead;
}

/** For lines that get their times while those before them have yet to be pushed. */
export interface TimesAhead {
  /** Whether the first time of the log is known. */
  readonly isReady: () => boolean;
  readonly stamp: (time: number) => string;
  /** All before is pushed; the last time that was stamped. */
  readonly passed: (time: number) => void;
}

/**
 * Puts the time of each line, from its marks, before it; blanks where it has none. Nearly all lines
 * have one mark, at their beginning.
 */
export function timestamps(kind: TimestampKind, times: Times): Timestamps {
  const stamp = createStamp(kind, times);
  /** One of its own: blanks are as wide as the time that was pushed last. */
  const early = createStamp(kind, times);
  const marks = markReader(times);
  /** A piece of an over long line came before: what follows goes on with it. */
  let within = false;

  return { push, end: () => '', ahead: timesAhead() };

  function push(lines: string): string {
    let out = '';
    let mark = nextMark(lines, 0);
    for (let start = 0; start < lines.length;) {
      const end = lineEnd(lines, start);
      const time = mark === start ? usualTime(lines, start) : undefined;
      if (mark === start) mark = nextMark(lines, start + 1);
      const text = time === undefined ? start : start + usualLength;
      const isUsual = !within && mark >= end && text < end && time !== -1;
      out += isUsual ? stampOf(time) + lines.slice(text, end) : anyLine(lines.slice(start, end));
      if (isUsual) within = lines.charCodeAt(end - 1) !== newline;
      if (mark < end) mark = nextMark(lines, end);
      start = end;
    }
    return out;
  }

  function stampOf(time: number | undefined): string {
    if (time === undefined) return stamp.blank();
    marks.pass(time);
    return stamp.of(time);
  }

  function timesAhead(): TimesAhead {
    return {
      isReady: () => times.first !== undefined,
      stamp: (time) => early.of(time),
      passed: (time) => void stampOf(time),
    };
  }

  function anyLine(line: string): string {
    const { time, rest } = splitMark(marks.oneMark(line));
    if (rest === '') return '';
    const before = within ? '' : time === undefined ? stamp.blank() : stamp.of(time);
    within = !rest.endsWith('\n');
    return before + rest;
  }
}

const newline = 0x0a;

/** Where the next mark begins; the length where there is none. */
function nextMark(lines: string, from: number): number {
  const at = lines.indexOf('\x1b_', from);
  return at < 0 ? lines.length : at;
}
