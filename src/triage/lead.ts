import { clipPainted, widthOf } from '../render/width.ts';
import type { Failure } from './report-resource.ts';

/** Blanks before the parts of a line that is too long. */
export const partIndent = 2;

/** A screen has 24 rows; what stands above the log takes up to 9 of them, the prompt one. */
const mostRows = 14;

export interface LeadLine {
  /** Its place among the lines of the failure. */
  readonly at: number;
  readonly text: string;
}

/**
 * The lines that say most, in the order of the log, as many as the first screen has room for; all
 * of them where they find room.
 *
 * @param printed the lines of the failure as they are shown, with their colours
 */
export function leadOf(
  { cause }: Pick<Failure, 'cause'>,
  printed: readonly string[],
  width: number,
  notes: number,
): LeadLine[] {
  const rowsOf = (text: string): number => {
    const beyond = widthOf(text) - width;
    return beyond > 0 ? 1 + Math.ceil(beyond / Math.max(1, width - partIndent)) : 1;
  };
  const room = mostRows - notes;
  const cut = new Map<number, string>();
  for (const [rank, at] of cause.entries()) {
    const text = shortened(printed[at] ?? '', width, rank);
    const next = new Map(cut).set(at, text);
    if (rows(next) <= room) cut.set(at, text);
    else if (rank > 2) break;
  }
  const all = printed.map((text, at) => ({ at, text }));
  if (all.reduce((sum, { text }) => sum + rowsOf(text), 0) <= room) return all;
  return inOrder(cut).map((at) => ({ at, text: cut.get(at) ?? '' }));

  function rows(chosen: ReadonlyMap<number, string>): number {
    const places = inOrder(chosen);
    const gaps = places.filter((at, index) => isApart(places[index - 1], at)).length;
    return places.reduce((sum, at) => sum + rowsOf(chosen.get(at) ?? ''), gaps);
  }

  /** Blank lines alone are no gap. */
  function isApart(before: number | undefined, at: number): boolean {
    return before !== undefined && printed.slice(before + 1, at).some((text) => text.trim() !== '');
  }
}

const inOrder = (chosen: ReadonlyMap<number, string>): number[] =>
  [...chosen.keys()].sort((a, b) => a - b);

/** The line that says most may take three rows, the next ones two. */
const shortened = (text: string, width: number, rank: number): string =>
  clipPainted(text, width * (rank === 0 ? 3 : rank < 6 ? 2 : 1));
