import { byteLength, cutText } from './byte-budget.ts';
import { cutMark } from './cut-mark.ts';
import type { Excerpt, ExcerptLine } from './excerpt.ts';

export interface ChosenLine {
  readonly text: string;
  /** Its place in the part that failed. */
  readonly place: number;
  /** Null for a mark that stands for lines. */
  readonly rank: number | null;
}

export interface Chosen {
  readonly lines: readonly ChosenLine[];
  /** A line was cut, or lines after the first one are left out. */
  readonly isCut: boolean;
}

interface Room {
  readonly maxLines: number;
  readonly maxLineBytes: number;
  /** Newlines included. */
  readonly maxBytes: number;
}

/** As many of the most telling lines as there is room for, with a mark where others lay between. */
export function chooseLines(excerpt: Excerpt, room: Room, command: string | null): Chosen {
  const byRank = [...excerpt.lines].sort((a, b) => a.rank - b.rank);
  const of = (count: number): Chosen => assemble(excerpt, byRank.slice(0, count), room, command);
  const all = of(byRank.length);
  if (hasRoom(all, room)) return all;
  let [fits, tooMany] = [0, byRank.length];
  while (tooMany - fits > 1) {
    const count = (fits + tooMany) >> 1;
    if (hasRoom(of(count), room)) fits = count;
    else tooMany = count;
  }
  return fits > 0 ? of(fits) : partOf(byRank[0], room);
}

function assemble(
  excerpt: Excerpt,
  taken: readonly ExcerptLine[],
  { maxLineBytes }: Room,
  command: string | null,
): Chosen {
  const places = filled(taken.map(({ place }) => place));
  const lines: ChosenLine[] = [];
  let isCut = false;
  let before: ExcerptLine | undefined;
  for (const line of excerpt.lines.filter(({ place }) => places.has(place))) {
    mark(before, line);
    const { text, truncated } = cutText(line.text, maxLineBytes);
    isCut ||= truncated;
    lines.push({ text, place: line.place, rank: line.rank });
    before = line;
  }
  mark(before, { place: excerpt.total, at: excerpt.end + 1 });
  return { lines, isCut };

  function mark(from: ExcerptLine | undefined, to: Pick<ExcerptLine, 'at' | 'place'>): void {
    if (from === undefined || to.place === from.place + 1) return;
    isCut = true;
    const count = to.place - from.place - 1;
    const text = cutMark(
      count,
      { first: from.at + 1, last: to.at - 1 },
      excerpt.readOfMore,
      command,
    );
    lines.push({ text: cutText(text, maxLineBytes).text, place: from.place + 1, rank: null });
  }
}

/** A few lines read better than a mark in their place. */
const smallGap = 3;

/** With the places of small gaps. */
function filled(places: readonly number[]): ReadonlySet<number> {
  const all = new Set(places);
  const sorted = [...places].sort((a, b) => a - b);
  for (const [index, place] of sorted.entries()) {
    const before = sorted[index - 1] ?? place;
    if (place - before <= smallGap + 1) for (let at = before + 1; at < place; at++) all.add(at);
  }
  return all;
}

const hasRoom = ({ lines }: Chosen, { maxLines, maxBytes }: Room): boolean =>
  lines.length <= maxLines &&
  lines.reduce((sum, { text }) => sum + byteLength(text) + 1, 0) <= maxBytes;

/** At least a part of the line that says most. */
function partOf(line: ExcerptLine | undefined, { maxLineBytes, maxBytes }: Room): Chosen {
  const { text, truncated } = cutText(line?.text ?? '', Math.min(maxLineBytes, maxBytes - 1));
  if (line === undefined || text === '') return { lines: [], isCut: line !== undefined };
  return { lines: [{ text, place: line.place, rank: line.rank }], isCut: truncated };
}
