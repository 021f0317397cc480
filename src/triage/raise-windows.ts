import type { LogLine } from './log-line.ts';
import { isCalm, isDetail, isFrame, isRemark } from './noise.ts';
import { countShapes } from './shape.ts';
import { leastWeight, manyLikes, markWeight } from './weigh.ts';

/** So many reports of failures are enough; each counts less than the one before. */
const mostWindows = 12;
const lessEach = 20;
const lessOfFrame = 16;
/** Lines below and above the strongest one of a window, or below its last strong one. */
const after = { clear: 18, vague: 9 };
const before = 5;
/** Lines that follow at once belong to it, though they be like many. */
const near = 4;

/** Raises the values of the strongest lines, and of those that stand round them. */
export function raiseWindows(
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
    const top = 100 + (weights[anchor] ?? 0) - lessEach * found++;
    for (const [at, loss] of windowOf(anchor, { lines, weights, likes })) {
      const own = (weights[at] ?? 0) >= leastWeight ? (weights[at] ?? 0) / 8 : 0;
      values[at] = Math.max(values[at] ?? 0, top + own - loss);
      covered.add(at);
    }
  }
}

const strongestFirst = (weights: readonly number[]): number[] =>
  [...weights.keys()]
    .filter((at) => (weights[at] ?? 0) >= leastWeight)
    .sort((a, b) => (weights[b] ?? 0) - (weights[a] ?? 0) || a - b);

interface Weighed {
  readonly lines: readonly LogLine[];
  readonly weights: readonly number[];
  readonly likes: readonly number[];
}

/**
 * The lines round one with what each loses by its distance, as far as nothing says that something is
 * well. Reports go on below their head, and above it there is less to see.
 */
function windowOf(anchor: number, log: Weighed): Map<number, number> {
  const isClear = (log.weights[anchor] ?? 0) >= markWeight;
  const found = new Map([[anchor, 0]]);
  const most = isClear ? after.clear : after.vague;
  let base = anchor;
  for (let at = anchor + 1; at - base <= most && isOfReport(at, anchor, isClear, log); at++) {
    const loss = 2 * (at - base) + 4 * Math.max(0, at - base - 6);
    const less = isFrame(log.lines[at]?.text ?? '') ? lessOfFrame : 0;
    found.set(at, (isClear ? loss : 2 * loss) + (base === anchor ? 0 : 6) + less);
    // The head of a report, and its text some lines below.
    if (base === anchor && isStrong(at, log) && !isStrong(at - 1, log)) base = at;
  }
  for (let at = anchor - 1; anchor - at <= before && isOfReport(at, anchor, isClear, log); at--)
    found.set(at, 6 * (anchor - at) * (isClear ? 1 : 2));
  return found;
}

const isStrong = (at: number, { weights }: Weighed): boolean => (weights[at] ?? 0) >= 80;

function isOfReport(
  at: number,
  anchor: number,
  isClear: boolean,
  { lines, likes }: Weighed,
): boolean {
  const line = lines[at];
  if (line === undefined || line.section !== lines[anchor]?.section) return false;
  if (isCalm(line.text) || (at < anchor && isRemark(line.text))) return false;
  const isFilling = (likes[at] ?? 0) >= manyLikes && /\w/.test(line.text);
  const isNear = at > anchor && at <= anchor + near;
  return isClear || isNear || !isFilling || isDetail(line.text);
}
