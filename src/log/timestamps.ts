import { markReader, splitMark, usualLength, usualTime, type Times } from './time-marks.ts';
import { lineEnd } from './text.ts';
import { type TimestampKind, elapsed, local, utc } from './format-time.ts';

export type Timestamps = ReturnType<typeof timestamps>;

/** Prefixes each line with the time of its mark, or with spaces if it has no mark. */
export function timestamps(kind: TimestampKind, times: Times) {
  const stamp = createStamp(kind, times);
  /** A separate formatter, because its padding is as wide as the time it formatted last. */
  const early = createStamp(kind, times);
  const marks = markReader(times);
  /** Whether an overlong line continues in the next chunk. */
  let within = false;

  return {
    push,
    end: (): string => '',
    ahead: {
      isReady: (): boolean => times.first !== undefined,
      stamp: (time: number): string => early.of(time),
      /**
       * Sets the time of the last line that was stamped elsewhere. Earlier lines must be pushed.
       */
      passed: (time: number): void => void stampOf(time),
    },
  };

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

  function anyLine(line: string): string {
    const { time, rest } = splitMark(marks.oneMark(line));
    if (rest === '') return '';
    const before = within ? '' : time === undefined ? stamp.blank() : stamp.of(time);
    within = !rest.endsWith('\n');
    return before + rest;
  }
}

const newline = 0x0a;

function nextMark(lines: string, from: number): number {
  const at = lines.indexOf('\x1b_', from);
  return at < 0 ? lines.length : at;
}

/** Consecutive lines are usually in the same second, so often only milliseconds are formatted. */
function createStamp(kind: TimestampKind, times: Times) {
  const format = { utc, local, elapsed }[kind];
  let second = NaN;
  let [head, tail, width] = ['', '', 1];
  let thousandths: readonly string[] = [];

  /** The time before a line, followed by a space. */
  function of(time: number): string {
    const shown = kind === 'elapsed' ? time - (times.first ?? time) : time;
    const now = Math.floor(shown / 1000);
    if (now !== second) return begin(shown, now);
    return head + (thousandths[shown - now * 1000] ?? '');
  }

  function begin(shown: number, now: number): string {
    const text = `${format(shown)} `;
    const dot = text.lastIndexOf('.');
    if (thousandths.length === 0 || text.slice(dot + 4) !== tail) {
      tail = text.slice(dot + 4);
      thousandths = numbers.map((number) => number + tail);
    }
    [head, width] = [text.slice(0, dot + 1), text.length];
    // Milliseconds of negative times count backwards, so the cached second is not reused.
    second = shown < 0 ? NaN : now;
    return text;
  }

  return { of, blank: (): string => ' '.repeat(width) };
}

const numbers = Array.from({ length: 1000 }, (_, number) => String(number).padStart(3, '0'));
