import type { LogLine } from './log-line.ts';
import { isAfterwards, isCalm } from './noise.ts';
import { countShapes } from './shape.ts';

/** So far back from the end lines are looked for that few are like. */
const reach = 150;
const few = 4;

/**
 * Raises the values of the lines at the end of the last section of the work itself that have few
 * like them, and of the very last lines.
 */
export function raiseLast(lines: readonly LogLine[], values: number[]): void {
  const likes = countShapes(lines);
  const end = lines.findLastIndex(({ section }) => section === null || !isAfterwards(section)) + 1;
  const notable = [...lines.keys()]
    .slice(Math.max(0, end - reach), end)
    .filter((at) => (likes[at] ?? 0) < few && isNotable(lines[at]))
    .slice(-10);
  for (const [place, at] of notable.reverse().entries()) raise(at, 118 - 3 * place);
  for (let back = 1; back <= Math.min(6, lines.length); back++)
    raise(lines.length - back, 96 - 6 * back);

  function raise(at: number, to: number): void {
    values[at] = Math.max(values[at] ?? 0, to);
  }
}

const isNotable = (line: LogLine | undefined): boolean =>
  line !== undefined && line.text.trim() !== '' && !isCalm(line.text);
