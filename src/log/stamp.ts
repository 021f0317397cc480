import { elapsed, local, utc } from './format-time.ts';
import type { Times } from './time-marks.ts';
import type { TimestampKind } from './timestamp-kinds.ts';

/** The time before a line, with a space behind it. */
export interface Stamp {
  of(time: number): string;
  /** As wide as the time before. */
  blank(): string;
}

/** Lines that follow each other mostly share their second: of that only the thousandths are new. */
export function createStamp(kind: TimestampKind, times: Times): Stamp {
  const format = { utc, local, elapsed }[kind];
  let second = NaN;
  let [head, tail, width] = ['', '', 1];
  /** With the tail behind them. */
  let thousandths: readonly string[] = [];

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
    // Before the beginning they count backwards.
    second = shown < 0 ? NaN : now;
    return text;
  }

  return { of, blank: () => ' '.repeat(width) };
}

const numbers = Array.from({ length: 1000 }, (_, number) => String(number).padStart(3, '0'));
