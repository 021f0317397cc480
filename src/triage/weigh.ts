import { listedNames } from './listed-names.ts';
import type { LogLine } from './log-line.ts';
import { isAfterwards, isCalm, isPreparing } from './noise.ts';
import { countShapes } from './shape.ts';
import { signOf } from './signs.ts';

/** What is below says nothing. */
export const leastWeight = 34;

/** What is from here on names the reason. */
const clearWeight = 90;

/** From here on stand the marks of failed tests, of which the first one counts too. */
export const markWeight = 84;

/** So many lines of one shape fill a log. */
export const manyLikes = 10;

/** How much each line says of why its job failed, among the others; 0 nothing. */
export function weigh(lines: readonly LogLine[]): number[] {
  const likes = countShapes(lines);
  const after = notableAfter(lines, likes);
  const seen = new Set<string>();
  const signs = lines.map(({ text, isRed }) => signOf(text, isRed));
  const isName = listedNames(lines, signs);
  return lines.map((line, at) => {
    const sign = signs[at] ?? 0;
    if (sign === 0 || isName[at] || isIgnored(lines[at + 1])) return 0;
    const isFirst = !seen.has(line.text.trim());
    seen.add(line.text.trim());
    const late = nearEnd(after[at] ?? 0, at / lines.length);
    return place(among(sign, likes[at] ?? 1, late) * (isFirst ? 1 : 0.6), line);
  });
}

/** Ansible prints a failure and says below it that it does not matter. */
const isIgnored = (next: LogLine | undefined): boolean =>
  /^\s*(?:\.\.\.)?ignor(?:ing|ed)\b/i.test(next?.text ?? '');

/** How many lines come after each that are not of a kind that fills the log. */
function notableAfter(lines: readonly LogLine[], likes: readonly number[]): number[] {
  let count = 0;
  return lines
    .map((_, index) => lines.length - 1 - index)
    .map((at) => {
      const { text = '', section = null } = lines[at] ?? {};
      const isBeside = section !== null && isAfterwards(section);
      const isNotable = (likes[at] ?? 0) < manyLikes && !isBeside && !isCalm(text);
      return isNotable && text.trim() !== '' ? count++ : count;
    })
    .reverse();
}

/** From 0 to 1: what ended a job stands near the end. */
const nearEnd = (after: number, position: number): number =>
  (1 - Math.min(1, after / 40) + position) / 2;

/**
 * A clear sign stands for itself, and of two of them the first one counts. Of the others those say
 * more that have few like them, and that stand near the end.
 */
function among(sign: number, likes: number, late: number): number {
  if (sign >= clearWeight) return sign;
  const repeated = Math.min(24, 5 * Math.log2(likes));
  if (sign >= markWeight) return sign - repeated;
  return Math.min(markWeight - 3, sign - repeated + lateBonus * late);
}

const lateBonus = 14;

function place(weight: number, { section, isOpen }: LogLine): number {
  if (section !== null && isAfterwards(section)) return weight * 0.5;
  if (section !== null && isPreparing(section)) return weight * 0.85;
  return weight + (isOpen ? 2 : 0);
}
