import type { LogLine } from './log-line.ts';
import { raiseChains } from './raise-chains.ts';
import { raiseLast } from './raise-last.ts';
import { raiseWindows } from './raise-windows.ts';
import { shapeOf } from './shape.ts';
import { weigh } from './weigh.ts';

/**
 * The places of all lines, those first that say most of why the job failed: the strongest sign with
 * what stands round it, then the next ones, then the last lines, then the others from the end up.
 */
export function rankLines(lines: readonly LogLine[]): number[] {
  const weights = weigh(lines);
  const shapes = lines.map(({ text }) => shapeOf(text));
  const values = lines.map(() => 0);
  raiseWindows(lines, weights, values);
  raiseChains(lines, values);
  raiseLast(lines, values);
  for (const at of lines.keys()) values[at] = (values[at] ?? 0) - folded(at);
  return [...lines.keys()].sort((a, b) => (values[b] ?? 0) - (values[a] ?? 0) || b - a);

  function folded(at: number): number {
    const value = values[at] ?? 0;
    if (shapes[at] === '') return Math.min(value, 70);
    if ((weights[at] ?? 0) >= 80) return isOneOfMany(lines, at) ? Math.min(value, 70) : 0;
    return isInsideRun(shapes, at) ? Math.min(value, 30) : 0;
  }
}

/** Neither of the first nor of the last two of lines that are alike. */
const isInsideRun = (shapes: readonly string[], at: number): boolean =>
  [-2, -1, 1, 2].every((step) => shapes[at + step] === shapes[at]);

/** The third of a list of failed tests, and all that follow. */
const isOneOfMany = (lines: readonly LogLine[], at: number): boolean =>
  [0, 1, 2].every((back) => /^\s*[✕✖✘✗×❌]/.test(lines[at - back]?.text ?? ''));
