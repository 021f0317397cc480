import { settle } from '../log/settle.ts';
import { standalone } from '../log/style.ts';
import { eachLine, toText } from '../log/text.ts';
import { toLogLine, type LogLine } from './log-line.ts';
import { isClosing } from './noise.ts';
import { rankLines } from './rank-lines.ts';
import { failedPart } from './failed-part.ts';
import { sectionsOf } from './sections.ts';
import type { Tail } from './tail.ts';
import { withoutTornLine } from './without-torn-line.ts';

/** The lines of a log that say why its job failed. */
export interface Excerpt {
  /** The section that holds the line that says most; null where the log has none. */
  readonly section: string | null;
  /** Those that say most, in the order of the log; more than are shown, to fill gaps with. */
  readonly lines: readonly ExcerptLine[];
  /** How many lines there are of the part that failed. */
  readonly total: number;
  /** The number of the last of them in what was read, from 1. */
  readonly end: number;
  /** That part was read from its beginning. */
  readonly isWhole: boolean;
  /** How many lines were read; undefined where they are all lines of the log. */
  readonly readOfMore: number | undefined;
}

export interface ExcerptLine {
  /** Its number in what was read, from 1. */
  readonly at: number;
  /** Its place in the part that failed, from 0. */
  readonly place: number;
  /** From 0, the most telling first. */
  readonly rank: number;
  /** Printable, without a newline. */
  readonly text: string;
  /** The same with its colours, standing alone; where they were asked for. */
  readonly painted?: string;
}

/** Of a job that has no log. */
export const noExcerpt: Excerpt = {
  section: null,
  lines: [],
  total: 0,
  end: 0,
  isWhole: true,
  readOfMore: undefined,
};

/**
 * The lines among which the `count` most telling ones are chosen, of what the command itself has
 * printed up to the end of the section that failed; hooks round it are left out, unless it was one
 * of them that failed.
 */
export function excerptOf({ bytes, isCut }: Tail, count: number, colours = false): Excerpt {
  const log = settled(isCut ? withoutTornLine(bytes) : bytes);
  const readOfMore = isCut ? [...eachLine(log)].length : undefined;
  const { failed, part } = failedPart(sectionsOf(log));
  if (failed === undefined) return { ...noExcerpt, isWhole: !isCut, readOfMore };
  const lines = part.flatMap((section) => section.lines.map((line) => toLogLine(line, section)));
  const end = lines.findLastIndex(({ text }) => text.trim() !== '' && !isClosing(text)) + 1;
  // A command that printed nothing leaves only what its agent says.
  const isSilent = lines.every(({ text }) => isClosing(text) || isOfAgent.test(text));
  const own = isSilent
    ? lines.filter(({ text }) => isClosing(text))
    : lines.slice(0, end).filter(({ text }) => !isClosing(text));
  const ranked = bestFirst(own, 4 * count + 20);
  const painted = colours ? [...eachLine(standalone().push(log))] : [];
  return {
    section: own[ranked.find(({ rank }) => rank === 0)?.place ?? -1]?.section ?? failed.name,
    lines: colours ? ranked.map((line) => paintedLine(line, painted)) : ranked,
    total: own.length,
    end: own.at(-1)?.at ?? 0,
    // Where the section's header was read, all of it was, but not what came before it.
    isWhole: !isCut || (failed.part !== 'own' && failed.name !== null),
    readOfMore,
  };
}

const isOfAgent = /^(?:\s*|~~~ Running .*|\$ .*|\^\^\^ \+\+\+)$/;

const bestFirst = (lines: readonly LogLine[], count: number): ExcerptLine[] =>
  rankLines(lines)
    .slice(0, count)
    .map((place, rank) => ({
      at: lines[place]?.at ?? 0,
      place,
      rank,
      text: lines[place]?.text ?? '',
    }))
    .sort((a, b) => a.place - b.place);

const paintedLine = (line: ExcerptLine, painted: readonly string[]): ExcerptLine => ({
  ...line,
  painted: toText(painted[line.at - 1] ?? '').replace(/\r*\n$/, ''),
});

function settled(bytes: Uint8Array): string {
  const stage = settle({ colours: true });
  return stage.push(bytes) + stage.end();
}
