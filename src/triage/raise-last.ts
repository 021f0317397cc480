import { readHeader } from '../log/sections.ts';
import type { LogLine } from './log-line.ts';
import { isAfterwards, isCalm } from './noise.ts';
import { countShapes } from './shape.ts';

/** So far back from the end a line that few are like is one of the last; above it counts less. */
const reach = 150;
const [lastValue, farValue] = [118, 100];
const few = 4;

/**
 * Raises the values of the last lines up to the end of the last section of the work itself that
 * have few like them, and of the very last lines.
 */
export function raiseLast(lines: readonly LogLine[], values: number[]): void {
  const likes = countShapes(lines);
  const end = lines.findLastIndex(({ section }) => section === null || !isAfterwards(section)) + 1;
  const notable = [...lines.keys()]
    .slice(0, end)
    .filter((at) => (likes[at] ?? 0) < few && isNotable(lines[at], isFar(at)))
    .slice(-10);
  for (const [place, at] of notable.reverse().entries())
    raise(at, (isFar(at) ? farValue : lastValue) - 3 * place);
  for (let back = 1; back <= Math.min(6, lines.length); back++)
    raise(lines.length - back, 96 - 6 * back);

  function isFar(at: number): boolean {
    return end - at > reach;
  }

  function raise(at: number, to: number): void {
    values[at] = Math.max(values[at] ?? 0, to);
  }
}

/** The header of a section far above says nothing of its lines. */
const isNotable = (line: LogLine | undefined, isFar: boolean): boolean =>
  line !== undefined &&
  line.text.trim() !== '' &&
  !isCalm(line.text) &&
  !(isFar && readHeader(line.text) !== undefined);
