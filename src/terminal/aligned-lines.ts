import { fitWidths } from '../render/fit.ts';
import { shorten, widthOf } from '../render/width.ts';

const gap = 2;

/**
 * Rows as lines of at most `width` columns, each a line whatever stands in it: the cells of a
 * column begin below each other, long ones are shortened, and what finds no room is left out.
 */
export function alignedLines(rows: readonly (readonly string[])[], width: number): string[] {
  const count = Math.max(0, ...rows.map((row) => row.length));
  const columns = Array.from({ length: count }, (_, at) => ({
    natural: Math.max(...rows.map((row) => widthOf(row[at] ?? ''))),
    flexible: true,
  }));
  const widths = fitWidths(columns, width, gap);
  return rows.map((row) =>
    widths
      .flatMap((room, at) => (room ? [padded(row[at] ?? '', room)] : []))
      .join(' '.repeat(gap))
      .trimEnd(),
  );
}

function padded(text: string, width: number): string {
  const shown = shorten(text, width);
  return shown + ' '.repeat(Math.max(0, width - widthOf(shown)));
}
