import { settle } from '../log/settle.ts';
import { standalone } from '../log/style.ts';
import { eachLine, toText } from '../log/text.ts';
import { boundedText, byteLength, cutText, type Limits } from './limits.ts';
import { rankLines } from './rank-lines.ts';
import type { Failure } from './report-resource.ts';
import { type LogLine, failedPart, logLines, sectionsOf } from './sections.ts';
import { isClosing } from './signs.ts';
import { type Tail, withoutTornLine } from './tail.ts';

export interface Excerpt {
  readonly section: string | null;
  /** The most relevant lines in log order, including lines that are only shown to fill gaps */
  readonly lines: readonly ExcerptLine[];
  readonly total: number;
  /** Line number (starting at 1) of the last of these lines, in the text that was read */
  readonly end: number;
  readonly isWhole: boolean;
  readonly readOfMore: number | undefined;
}

interface ExcerptLine {
  /** Line number in the text that was read, starting at 1. */
  readonly at: number;
  /** Index in the failed section, starting at 0. */
  readonly place: number;
  /** Rank by relevance. The most relevant line has rank 0 */
  readonly rank: number;
  readonly text: string;
  /** The text with its own colors; only if requested */
  readonly painted?: string;
}

export const noExcerpt: Excerpt = {
  section: null,
  lines: [],
  total: 0,
  end: 0,
  isWhole: true,
  readOfMore: undefined,
};

/**
 * Ranks the lines that the command printed, up to the end of the section that failed. Excludes the
 * output of hooks unless one of them failed.
 */
export function excerptOf({ bytes, isCut }: Tail, count: number, colors = false): Excerpt {
  const stage = settle({ colours: true });
  const log = stage.push(isCut ? withoutTornLine(bytes) : bytes) + stage.end();
  const readOfMore = isCut ? [...eachLine(log)].length : undefined;
  const { failed, part } = failedPart(sectionsOf(log));
  if (failed === undefined) return { ...noExcerpt, isWhole: !isCut, readOfMore };
  const lines = part.flatMap(logLines);
  const end = lines.findLastIndex(({ text }) => text.trim() !== '' && !isClosing(text)) + 1;
  // If the command printed nothing, only lines of the agent are left.
  const isSilent = lines.every(({ text }) => isClosing(text) || isOfAgent.test(text));
  const own = isSilent
    ? lines.filter(({ text }) => isClosing(text))
    : lines.slice(0, end).filter(({ text }) => !isClosing(text));
  const ranked = bestFirst(own, 4 * Math.max(count, leastCount) + 20);
  const painted = colors ? [...eachLine(standalone().push(log))] : [];
  return {
    section: own[ranked.find(({ rank }) => rank === 0)?.place ?? -1]?.section ?? failed.name,
    lines: colors ? ranked.map((line) => paintedLine(line, painted)) : ranked,
    total: own.length,
    end: own.at(-1)?.at ?? 0,
    // If the section's header was read, so was the whole section.
    isWhole: !isCut || (failed.part !== 'own' && failed.name !== null),
    readOfMore,
  };
}

/** Even if few lines are printed, the test that failed may be further away. */
const leastCount = 50;

const isOfAgent = /^(?:\s*|~~~ Running .*|\$ .*|\^\^\^ \+\+\+)$/;

/** The most relevant line that says more than the exit status. */
export function strongestLine({ lines }: Excerpt): ExcerptLine | undefined {
  const own = lines.filter(({ text }) => text.trim() !== '' && !isClosing(text));
  return own.sort((a, b) => a.rank - b.rank)[0];
}

/** Keeps only the `count` best lines, without the memory of the log that they are part of. */
export const briefExcerpt = (excerpt: Excerpt, count: number): Excerpt => ({
  ...excerpt,
  lines: excerpt.lines
    .filter(({ rank }) => rank < count)
    .map((line) => ({ ...line, text: Buffer.from(line.text).toString() })),
});

const bestFirst = (lines: readonly LogLine[], count: number): ExcerptLine[] =>
  rankLines(lines)
    .slice(0, count)
    .map((place, rank) => ({
      at: lines[place]?.at ?? 0,
      place,
      rank,
      text: reasonFirst(lines[place]?.text ?? ''),
    }))
    .sort((a, b) => a.place - b.place);

/** Ansible prints a long JSON object. Its message is moved to the start, where it is not cut off. */
function reasonFirst(text: string): string {
  const start = text.indexOf(' => {"') + 5;
  const head = text.slice(0, start);
  if (text.length < 160 || !/(?:FAILED|UNREACHABLE)! => \{$|\bfailed: /.test(head)) return text;
  const json = text.slice(start);
  const found = ['msg', 'stderr'].flatMap(
    (key) => new RegExp(`"${key}": "(?:[^"\\\\]|\\\\.)+", `).exec(json)?.[0] ?? [],
  );
  return head + found.join('') + found.reduce((rest, part) => rest.replace(part, () => ''), json);
}

const paintedLine = (line: ExcerptLine, painted: readonly string[]): ExcerptLine => ({
  ...line,
  painted: reasonFirst(toText(painted[line.at - 1] ?? '').replace(/\r*\n$/, '')),
});

export const wantedBytes = (excerpt: Excerpt, limits: Limits, command: string | null): number =>
  bytesOf(chooseLines(excerpt, limits.maxJobBytes, limits, command).lines);

const bytesOf = (lines: readonly ChosenLine[]): number =>
  lines.reduce((sum, { text }) => sum + byteLength(text) + 1, 0);

export type ExcerptPart = Pick<
  Failure,
  'section' | 'lines' | 'cause' | 'last_line' | 'omitted_lines' | 'log_command' | 'truncated'
>;

export function fitExcerpt(
  excerpt: Excerpt,
  max: number,
  limits: Limits,
  command: string | null,
): ExcerptPart {
  const wanted = chooseLines(excerpt, limits.maxJobBytes, limits, command);
  const { lines, isCut } =
    bytesOf(wanted.lines) <= max ? wanted : chooseLines(excerpt, max, limits, command);
  const cause = bestPlaces(lines);
  const omitted = excerpt.isWhole ? (lines[0]?.place ?? excerpt.total) : null;
  return {
    section: boundedText(excerpt.section, limits.maxLineBytes),
    lines: lines.map(({ text }) => text),
    cause,
    last_line:
      lines[cause[0] ?? -1]?.text ?? boundedText(strongestLine(excerpt)?.text, limits.maxLineBytes),
    omitted_lines: omitted,
    log_command: command,
    truncated: isCut || omitted !== 0,
  };
}

function bestPlaces(lines: readonly ChosenLine[]): number[] {
  const ranked = [...lines.entries()].filter(
    ([, { rank, text }]) => rank !== null && text.trim() !== '',
  );
  const own = ranked.filter(([, { text }]) => !isClosing(text));
  return (own.length > 0 ? own : ranked)
    .sort(([, a], [, b]) => (a.rank ?? 0) - (b.rank ?? 0))
    .slice(0, 20)
    .map(([at]) => at);
}

interface ChosenLine {
  readonly text: string;
  readonly place: number;
  /** Null if this is a gap marker */
  readonly rank: number | null;
}

interface Chosen {
  readonly lines: readonly ChosenLine[];
  /** Whether a line was truncated or lines after the first one were omitted. */
  readonly isCut: boolean;
}

/** Chooses the most relevant lines that fit and adds a marker for each gap. */
function chooseLines(
  excerpt: Excerpt,
  maxBytes: number,
  { lines: maxLines, maxLineBytes }: Limits,
  command: string | null,
): Chosen {
  const byRank = [...excerpt.lines].sort((a, b) => a.rank - b.rank);
  const of = (count: number): Chosen =>
    assemble(excerpt, byRank.slice(0, count), maxLineBytes, command);
  const hasRoom = ({ lines }: Chosen): boolean =>
    lines.length <= maxLines && bytesOf(lines) <= maxBytes;
  const all = of(byRank.length);
  if (hasRoom(all)) return all;
  let [fits, tooMany] = [0, byRank.length];
  while (tooMany - fits > 1) {
    const count = (fits + tooMany) >> 1;
    if (hasRoom(of(count))) fits = count;
    else tooMany = count;
  }
  return fits > 0 ? of(fits) : partOf(byRank[0], Math.min(maxLineBytes, maxBytes - 1));
}

function assemble(
  excerpt: Excerpt,
  taken: readonly ExcerptLine[],
  maxLineBytes: number,
  command: string | null,
): Chosen {
  const places = withSmallGaps(taken.map(({ place }) => place));
  const lines: ChosenLine[] = [];
  let isCut = false;
  let before: ExcerptLine | undefined;
  for (const line of excerpt.lines.filter(({ place }) => places.has(place))) {
    addGap(line);
    const { text, truncated } = cutText(line.text, maxLineBytes);
    isCut ||= truncated;
    lines.push({ text, place: line.place, rank: line.rank });
    before = line;
  }
  addGap({ place: excerpt.total, at: excerpt.end + 1 });
  return { lines, isCut };

  function addGap(to: Pick<ExcerptLine, 'at' | 'place'>): void {
    if (before === undefined || to.place === before.place + 1) return;
    isCut = true;
    const [first, last] = [before.at + 1, to.at - 1];
    const text = gapMarker(to.place - before.place - 1, first, last, excerpt.readOfMore, command);
    lines.push({ text: cutText(text, maxLineBytes).text, place: before.place + 1, rank: null });
  }
}

/** Gaps up to this many lines are filled, because a marker would hardly be shorter. */
const smallGap = 3;

function withSmallGaps(places: readonly number[]): ReadonlySet<number> {
  const all = new Set(places);
  const sorted = [...places].sort((a, b) => a - b);
  for (const [index, place] of sorted.entries()) {
    const before = sorted[index - 1] ?? place;
    if (place - before <= smallGap + 1) for (let at = before + 1; at < place; at++) all.add(at);
  }
  return all;
}

function partOf(line: ExcerptLine | undefined, maxBytes: number): Chosen {
  const { text, truncated } = cutText(line?.text ?? '', maxBytes);
  if (line === undefined || text === '') return { lines: [], isCut: line !== undefined };
  return { lines: [{ text, place: line.place, rank: line.rank }], isCut: truncated };
}

/** If only the end of a log was read, the suggested command prints it from the omitted lines on. */
function gapMarker(
  count: number,
  first: number,
  last: number,
  readOfMore: number | undefined,
  command: string | null,
): string {
  const lines = `${count} ${count === 1 ? 'line' : 'lines'}`;
  if (command === null) return `[truncated: ${lines}]`;
  const which =
    readOfMore === undefined
      ? `--head ${last} --tail ${last - first + 1}`
      : `--tail ${readOfMore - first + 1}`;
  return `[truncated: ${lines}, see ${command} ${which}]`;
}
