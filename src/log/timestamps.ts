import { splitMark, type Times } from './time-marks.ts';
import type { Stage } from './stage.ts';
import { mapLines } from './text.ts';
import { elapsed, local, utc } from './format-time.ts';
import type { TimestampKind } from './timestamp-kinds.ts';

/** Puts the time of each line, from its mark, before it; blanks where it has none. */
export function timestamps(kind: TimestampKind, times: Times): Stage {
  const format = { utc, local, elapsed: (time: number) => elapsed(time - (times.first ?? time)) };
  let width = 0;
  /** A piece of an over long line came before: what follows goes on with it. */
  let within = false;

  return { push: (lines) => mapLines(lines, mapLine), end: () => '' };

  function mapLine(line: string): string {
    const { time, rest } = splitMark(line);
    const starts = !within;
    within = !line.endsWith('\n');
    if (!starts) return rest;
    const stamp = time === undefined ? ' '.repeat(width) : format[kind](time);
    width = stamp.length;
    return `${stamp} ${rest}`;
  }
}
