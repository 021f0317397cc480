import { shorten, widthOf } from '../render/width.ts';
import type { Failure } from './report-resource.ts';
import { printableLine } from './words.ts';

/** A screen has 24 rows; what stands above the log takes up to 9 of them, the prompt one. */
const mostRows = 14;

/**
 * The lines that say most, in the order of the log, as many as the first screen has room for; an
 * empty string stands for what lies between two of them. Nothing where the log as it is shown
 * begins with them.
 */
export function leadOf({ lines, cause }: Failure, width: number, notes: number): string[] {
  const rowsOf = (text: string): number => Math.max(1, Math.ceil(widthOf(text) / width));
  const printed = lines.map((line) => printableLine(line));
  const room = mostRows - notes;
  const cut = new Map<number, string>();
  for (const [rank, at] of cause.entries()) {
    const text = shortened(printed[at] ?? '', width, rank);
    const next = new Map(cut).set(at, text);
    if (rows(next) <= room) cut.set(at, text);
    else if (rank > 2) break;
  }
  const last = Math.max(0, ...cut.keys());
  if (printed.slice(0, last + 1).reduce((sum, text) => sum + rowsOf(text), 0) <= room) return [];
  return inOrder(cut).flatMap((at, index, all) =>
    isApart(all[index - 1], at) ? ['', cut.get(at) ?? ''] : [cut.get(at) ?? ''],
  );

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
  shorten(text, width * (rank === 0 ? 3 : rank < 6 ? 2 : 1));
