import type { LogLine } from './log-line.ts';
import { isAfterwards, isCalm, isDetail, isRemark } from './noise.ts';
import { countShapes, shapeOf } from './shape.ts';
import { clearWeight, leastWeight, manyLikes, weigh } from './weigh.ts';

/**
 * The places of all lines, those first that say most of why the job failed: the strongest sign with
 * what stands round it, then the next ones, then the last lines, then the others from the end up.
 */
export function rankLines(lines: readonly LogLine[]): number[] {
  const weights = weigh(lines);
  const values = lines.map(() => 0);
  raiseWindows(lines, weights, values);
  raiseLast(lines, values);
  for (const [at, line] of lines.entries()) values[at] = (values[at] ?? 0) - foldedBy(line, at);
  return [...lines.keys()].sort((a, b) => (values[b] ?? 0) - (values[a] ?? 0) || b - a);

  function foldedBy({ text }: LogLine, at: number): number {
    const value = values[at] ?? 0;
    if (text.trim() === '') return Math.min(value, 70);
    if ((weights[at] ?? 0) >= 80) return isOneOfMany(lines, at) ? Math.min(value, 70) : 0;
    return isInsideRun(lines, at) ? Math.min(value, 30) : 0;
  }
}

/** Neither of the first nor of the last two of lines that are alike. */
const isInsideRun = (lines: readonly LogLine[], at: number): boolean =>
  [-2, -1, 1, 2].every(
    (step) => shapeOf(lines[at + step]?.text ?? '') === shapeOf(lines[at]?.text ?? ''),
  );

/** So many reports of failures are enough. */
const mostWindows = 12;
/** Lines before and after the strongest one of a window. */
const before = 5;
const after = 18;
/** Of one that is not clear. */
const shortAfter = 9;

function raiseWindows(
  lines: readonly LogLine[],
  weights: readonly number[],
  values: number[],
): void {
  const likes = countShapes(lines);
  const covered = new Set<number>();
  let found = 0;
  for (const anchor of strongestFirst(weights)) {
    if (covered.has(anchor)) continue;
    if (found === mostWindows) return;
    const top = 100 + (weights[anchor] ?? 0) - 14 * found++;
    const isClear = (weights[anchor] ?? 0) >= clearWeight;
    for (const at of windowOf(lines, isClear ? [] : likes, anchor)) {
      const own = (weights[at] ?? 0) >= leastWeight ? (weights[at] ?? 0) / 8 : 0;
      values[at] = Math.max(values[at] ?? 0, top + own - distance(at - anchor) * (isClear ? 1 : 2));
      covered.add(at);
    }
  }
}

const strongestFirst = (weights: readonly number[]): number[] =>
  [...weights.keys()]
    .filter((at) => (weights[at] ?? 0) >= leastWeight)
    .sort((a, b) => (weights[b] ?? 0) - (weights[a] ?? 0) || a - b);

/** Reports go on below their head; above it there is less to see. */
const distance = (lines: number): number =>
  lines < 0 ? -6 * lines : 2 * lines + 4 * Math.max(0, lines - 6);

/** The lines round one, as far as nothing says that something is well, and nothing fills the log. */
function windowOf(lines: readonly LogLine[], likes: readonly number[], anchor: number): number[] {
  const reach = (step: number, most: number): number[] => {
    const found: number[] = [];
    for (let at = anchor + step; found.length < most && isOfReport(at); at += step) found.push(at);
    return found;
  };
  return [anchor, ...reach(1, likes.length === 0 ? after : shortAfter), ...reach(-1, before)];

  function isOfReport(at: number): boolean {
    const line = lines[at];
    if (line === undefined || line.section !== lines[anchor]?.section) return false;
    const isFilling = (likes[at] ?? 0) >= manyLikes && /\w/.test(line.text);
    if (at < anchor && isRemark(line.text)) return false;
    return !isCalm(line.text) && (!isFilling || isDetail(line.text));
  }
}

/** The third of a list of failed tests, and all that follow. */
const isOneOfMany = (lines: readonly LogLine[], at: number): boolean =>
  [0, 1, 2].every((back) => /^\s*[✕✖✘✗×❌]/.test(lines[at - back]?.text ?? ''));

/**
 * The end of the last section of the work itself, of which the lines count that have few
 * like them; and the very last lines.
 */
function raiseLast(lines: readonly LogLine[], values: number[]): void {
  const likes = countShapes(lines);
  const end = lines.findLastIndex(({ section }) => section === null || !isAfterwards(section)) + 1;
  const notable = [...lines.keys()]
    .slice(Math.max(0, end - 150), end)
    .filter((at) => (likes[at] ?? 0) < 4 && isNotable(lines[at]))
    .slice(-10);
  for (const [place, at] of notable.reverse().entries()) raise(at, 118 - 3 * place);
  for (let back = 1; back <= Math.min(6, lines.length); back++)
    raise(lines.length - back, 116 - 6 * back);

  function raise(at: number, to: number): void {
    values[at] = Math.max(values[at] ?? 0, to);
  }
}

const isNotable = (line: LogLine | undefined): boolean =>
  line !== undefined && line.text.trim() !== '' && !isCalm(line.text);
