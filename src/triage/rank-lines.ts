import type { LogLine } from './sections.ts';
import {
  isCalm,
  isDetail,
  isEcho,
  isFrame,
  isRemark,
  isAfterwards,
  isPreparing,
  signOf,
} from './signs.ts';
import { readHeader } from '../log/sections.ts';
import { withoutPrefixes } from './prefixes.ts';

/**
 * The indexes of all lines, starting with those that best explain the failure: the strongest sign
 * of failure with the lines around it, weaker signs, the last lines, then the remaining lines from
 * the end backwards.
 */
export function rankLines(printed: readonly LogLine[]): number[] {
  const bared = withoutPrefixes(printed.map(({ text }) => text));
  const lines = printed.map((line, at) => ({ ...line, ...bared[at] }));
  const shapes = lines.map(({ text }) => shapeOf(text));
  const likes = countEach(shapes);
  const weights = weigh(lines, likes);
  const values = lines.map(() => 0);
  raiseWindows({ lines, weights, likes }, values);
  raiseChains(lines, values);
  raiseLast(lines, likes, values);
  raiseSilent(lines, weights, values);
  for (const at of lines.keys()) values[at] = (values[at] ?? 0) - folded(at);
  return [...lines.keys()].sort((a, b) => (values[b] ?? 0) - (values[a] ?? 0) || b - a);

  function folded(at: number): number {
    const value = values[at] ?? 0;
    if (shapes[at] === '') return Math.min(value, 70);
    // The line above an echo usually explains more.
    if ((weights[at] ?? 0) < 60 && isEcho(lines[at]?.text ?? '')) return Math.min(value, 50);
    if ((weights[at] ?? 0) >= 80) return isOneOfMany(lines, at) ? Math.min(value, 70) : 0;
    return isInsideRun(shapes, at) ? Math.min(value, 30) : 0;
  }
}

interface Weighed {
  readonly lines: readonly LogLine[];
  readonly weights: readonly number[];
  readonly likes: readonly number[];
}

/** Similar lines in a row form a run. True except for the first two and last two lines of a run. */
const isInsideRun = (shapes: readonly string[], at: number): boolean =>
  [-2, -1, 1, 2].every((step) => shapes[at + step] === shapes[at]);

/** True from the third line on in a list of failed tests. */
const isOneOfMany = (lines: readonly LogLine[], at: number): boolean =>
  [0, 1, 2].every((back) => /^\s*[✕✖✘✗×❌]/.test(lines[at - back]?.text ?? ''));

/** Maximum number of windows (reports of failures). Each one ranks lower than the previous one. */
const mostWindows = 12;
const lessEach = 20;
const lessOfFrame = 16;
/** How many lines to include above and below the strongest line, or below the last strong line. */
const after = { clear: 18, vague: 9 };
const before = 5;
/** Lines this close below the anchor are included, even if many other lines resemble them. */
const near = 4;

function raiseWindows(log: Weighed, values: number[]): void {
  const { weights } = log;
  const covered = new Set<number>();
  let found = 0;
  for (const anchor of strongestFirst(weights)) {
    if (covered.has(anchor)) continue;
    if (found === mostWindows) return;
    const top = 100 + (weights[anchor] ?? 0) - lessEach * found++;
    for (const [at, loss] of windowOf(anchor, log)) {
      const own = (weights[at] ?? 0) >= leastWeight ? (weights[at] ?? 0) / 8 : 0;
      raise(values, at, top + own - loss);
      covered.add(at);
    }
  }
}

function raise(values: number[], at: number, to: number): void {
  values[at] = Math.max(values[at] ?? 0, to);
}

const strongestFirst = (weights: readonly number[]): number[] =>
  [...weights.keys()]
    .filter((at) => (weights[at] ?? 0) >= leastWeight)
    .sort((a, b) => (weights[b] ?? 0) - (weights[a] ?? 0) || a - b);

/**
 * The lines around an anchor, and how much weight each loses with distance. Ends at a line that
 * reports success. Reaches further down than up, because reports continue below their first line.
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
    // The text of a report often starts a few lines below its headline.
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

/** Any exception in a chain may be the reason. Raises all of them above the stack frames. */
function raiseChains(lines: readonly LogLine[], values: number[]): void {
  const texts = lines.map(({ text }) => text);
  for (const chain of [...chainsUp(texts), ...chainsDown(texts)]) {
    const most = chain.reduce((value, at) => Math.max(value, values[at] ?? 0), 0);
    if (most === 0) continue;
    for (const [place, at] of chain.slice(0, 5).entries()) raise(values, at, most - place);
  }
}

/** Python prints the root cause first. The first and the last exception are the most relevant. */
function chainsUp(texts: readonly string[]): number[][] {
  const chains: number[][] = [];
  let isStack = false;
  let isLinked = false;
  for (const [at, text] of texts.entries()) {
    if (/^Traceback \(most recent call last\)/.test(text)) isStack = true;
    else if (/^(?:During handling of|The above exception was)\b/.test(text)) isLinked = true;
    else if (isStack && /^\S/.test(text)) {
      if (isLinked) chains.at(-1)?.push(at);
      else chains.push([at]);
      isStack = isLinked = false;
    }
  }
  return chains.filter(({ length }) => length > 1).map(lastSecond);
}

/** Java prints the root cause last. It matters most, followed by the outermost exception. */
function chainsDown(texts: readonly string[]): number[][] {
  const chains: number[][] = [];
  let chain: number[] = [];
  for (const [at, text] of texts.entries()) {
    if (/^\s*(?:at |\.{3} \d+ )/.test(text)) continue;
    if (!/^Caused by: /.test(text)) chain = [at];
    else if (chain.push(at) === 2) chains.push(chain);
  }
  return chains.map((found) => lastSecond([...found].reverse()));
}

const lastSecond = ([first = 0, ...more]: readonly number[]): number[] => [
  first,
  ...more.slice(-1),
  ...more.slice(0, -1),
];

/** Rare lines further than this from the end are less relevant. */
const reach = 150;

/** Ranks rare lines higher if they are at the end of the last section that did real work. */
function raiseLast(lines: readonly LogLine[], likes: readonly number[], values: number[]): void {
  const end = lines.findLastIndex(({ section }) => section === null || !isAfterwards(section)) + 1;
  const notable = [...lines.keys()]
    .slice(0, end)
    .filter((at) => (likes[at] ?? 0) < 4 && isNotable(lines[at], isFar(at)))
    .slice(-10);
  for (const [place, at] of notable.reverse().entries())
    raise(values, at, (isFar(at) ? 100 : 118) - 3 * place);
  for (let back = 1; back <= Math.min(6, lines.length); back++)
    raise(values, lines.length - back, 96 - 6 * back);

  function isFar(at: number): boolean {
    return end - at > reach;
  }
}

/** Section headers far above the line are not relevant to it. */
const isNotable = (line: LogLine | undefined, isFar: boolean): boolean =>
  line !== undefined &&
  line.text.trim() !== '' &&
  !isCalm(line.text) &&
  !(isFar && readHeader(line.text) !== undefined);

const leastWeight = 34;
const clearWeight = 90;
/** Minimum weight of the mark of a failed test. */
const markWeight = 84;
/** If this many lines have the same shape, they are noise. */
const manyLikes = 10;

interface Line extends LogLine {
  readonly isOther?: boolean;
}

function weigh(lines: readonly Line[], likes: readonly number[]): number[] {
  const after = notableAfter(lines, likes);
  const seen = new Set<string>();
  const isStrict = lines.some(({ text }) => strict.test(text));
  const signs = lines.map(({ text, isRed, isOther }) =>
    isOther === true ? 0 : signOf(text, isRed, isStrict),
  );
  raiseHeaded(lines, signs);
  const isName = listedNames(lines, signs);
  return lines.map((line, at) => {
    const sign = signs[at] ?? 0;
    if (sign === 0 || isName[at] || [1, 2].some((next) => isIgnored(lines[at + next]))) return 0;
    const isFirst = !seen.has(line.text.trim());
    seen.add(line.text.trim());
    const late = nearEnd(after[at] ?? 0, at / lines.length);
    return place(among(sign, likes[at] ?? 1, late) * (isFirst ? 1 : 0.6), line);
  });
}

/** Says that a warning is enough to fail. */
const strict =
  /\bdue to warnings\b|\bstrict mode\b|\bwarnings? (?:being )?treated as errors|--max-warnings|--fail-on-warnings/i;

/** If a line only announces a message, as `Error:` or `Traceback …:` does, raises the message. */
function raiseHeaded(lines: readonly Line[], signs: number[]): void {
  for (const [at, { text }] of lines.entries()) {
    const sign = signs[at] ?? 0;
    const found = sign < leastWeight ? undefined : announced.find(({ by }) => by.test(text));
    if (found === undefined) continue;
    const { is, within, least = Math.min(99, sign + 1) } = found;
    const next = lines
      .slice(at + 1, at + 1 + within)
      .findIndex((line) => line.isOther !== true && is.test(line.text) && !isDetail(line.text));
    const place = at + 1 + next;
    if (next >= 0) signs[place] = Math.max(signs[place] ?? 0, least);
  }
}

interface Announced {
  readonly by: RegExp;
  readonly is: RegExp;
  /** Maximum number of lines below the announcement. */
  readonly within: number;
  readonly least?: number;
}

const announced: readonly Announced[] = [
  { by: /^Traceback \(most/, is: /^[A-Za-z_][\w.]*(?:: |$)/, within: 80, least: 92 },
  // Gradle and Go
  { by: /^\* What went wrong:/, is: /^\s*> \S/, within: 6, least: 92 },
  { by: /^\s*--- FAIL:/, is: /^\s+\w+\.go:\d+: /, within: 3, least: 92 },
  {
    by: /^(?!\s*\d+\)|E ).*[^\s:]:\s*$|^\s*Failure\/Error:|^\s*● Test suite failed/,
    is: /^(?!.*(?:\bHTTP\/\d|\bGET \/)).*[\p{L}\d]/u,
    within: 4,
  },
];

/**
 * If no line is a sign of failure, a command that printed nothing before the clean-up has failed,
 * provided that the log shows commands.
 */
function raiseSilent(
  lines: readonly LogLine[],
  weights: readonly number[],
  values: number[],
): void {
  if (weights.some((weight) => weight >= 50)) return;
  const last = lines.findLastIndex(({ text }) => isWork.test(text));
  const next = lines.slice(last + 1).find(({ text }) => text.trim() !== '');
  if (last >= 0 && (next === undefined || command.test(next.text))) raise(values, last, 200);
}

const command = /^(?:\$|\++) \S/;

/** A command line, except for those that clean up or only change the shell. */
const isWork =
  /^(?:\$|\++) (?!(?:sudo )?(?:rm|rmdir|kill|wait|trap|exit|return|set|unset|echo|popd|cd|sleep|umount|(?:docker|podman)(?:[ -]compose)? (?:rm|stop|kill|down|logs|\w+ (?:rm|prune)))\b|\w*clean\w*\b)\S/;

/** If Ansible ignores a failure, it prints that on the line after the failure. */
const isIgnored = (next: LogLine | undefined): boolean =>
  /^\s*(?:\.\.\.)?ignor(?:ing|ed)\b/i.test(next?.text ?? '');

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

/** From 0 to 1, higher near the end, where the reason usually is. */
const nearEnd = (after: number, position: number): number =>
  (1 - Math.min(1, after / 40) + position) / 2;

/** A clear sign of failure keeps its weight. Weaker ones gain weight if rare and near the end. */
function among(sign: number, likes: number, late: number): number {
  if (sign >= clearWeight) return sign;
  const repeated = Math.min(24, 5 * Math.log2(likes));
  if (sign >= markWeight) return sign - repeated;
  return Math.min(markWeight - 3, sign - repeated + 14 * late);
}

function place(weight: number, { section, isOpen }: LogLine): number {
  if (section !== null && isAfterwards(section)) return weight * 0.5;
  if (section !== null && isPreparing(section)) return weight * 0.85;
  return weight + (isOpen ? 2 : 0);
}

/**
 * Whether a line is an entry in a list of names, such as `fetched errors in 3 ms` among `fetched
 * cart in 4 ms`. In such a list, a word like `errors` is only a name.
 */
function listedNames(lines: readonly LogLine[], signs: readonly number[]): boolean[] {
  const frames = lines.map(({ text }) => frameOf(text));
  return lines.map(({ text }, at) => {
    const sign = signs[at] ?? 0;
    return sign > 0 && sign <= 50 && frames[at] !== '' && !verdict.test(text) && isListed(at);
  });

  function isListed(at: number): boolean {
    const calm = [-3, -2, -1, 1, 2, 3].filter(
      (step) => frames[at + step] === frames[at] && signs[at + step] === 0,
    );
    return calm.length >= 2;
  }
}

const verdict =
  /\b(?:failed|fails|fatal|cannot|can't|could not|unable|invalid|missing|denied|differ\w*|mismatch|unexpected)\b/i;

function frameOf(text: string): string {
  const words = text.slice(0, 300).trim().split(/\s+/);
  const outer = [words[0] ?? '', words.at(-1) ?? ''].map((word) => word.replace(/\d+/g, 'N'));
  return words.length < 3 ? '' : [...outer, words.length].join(' ');
}

/** Lines with the same shape differ only in names and numbers: `removed 'a'`, `removed 'b'`. */
const shapeOf = (text: string): string =>
  text
    .slice(0, 300)
    .replace(/(["'`‘])[^"'`’]*["'`’]/g, 'Q')
    .replace(/[^\s=:,()]*[\d/._-][^\s=:,()]*/g, 'N')
    .replace(/\s+/g, ' ')
    .trim();

/** For each line, the number of lines that have the same shape. */
function countEach(shapes: readonly string[]): number[] {
  const counts = new Map<string, number>();
  for (const shape of shapes) counts.set(shape, (counts.get(shape) ?? 0) + 1);
  return shapes.map((shape) => counts.get(shape) ?? 1);
}
