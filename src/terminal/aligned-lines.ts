import { fitWidths } from '../render/fit.ts';
import { shortenStart } from '../render/shorten-start.ts';
import { shorten, widthOf } from '../render/width.ts';

const gap = 2;

/**
 * Rows as lines of at most `width` columns, each a line whatever stands in it: the cells of a
 * column begin below each other, long ones are shortened, and what finds no room is left out. Of
 * the columns `tails` the end is kept: branches begin alike.
 */
export function alignedLines(
  rows: readonly (readonly string[])[],
  width: number,
  tails: readonly number[] = [],
): string[] {
  const count = Math.max(0, ...rows.map((row) => row.length));
  const whole = width < usualWidth ? 0 : wordWidth;
  const columns = Array.from({ length: count }, (_, at) => {
    const natural = Math.max(...rows.map((row) => widthOf(row[at] ?? '')));
    return { natural, flexible: true, ...(natural <= whole && { least: natural }) };
  });
  const widths = fitWidths(columns, width, gap);
  return rows.map((row) =>
    widths
      .flatMap((room, at) => (room ? [padded(row[at] ?? '', room, tails.includes(at))] : []))
      .join(' '.repeat(gap))
      .trimEnd(),
  );
}

/** Numbers and words for states are not shortened, where the terminal is no narrower than usual. */
const wordWidth = 16;
const usualWidth = 36;

function padded(text: string, width: number, keepsEnd: boolean): string {
  const shown = keepsEnd ? shortenStart(text, width) : shorten(text, width);
  return shown + ' '.repeat(Math.max(0, width - widthOf(shown)));
}
