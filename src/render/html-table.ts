import { widthOf } from './width.ts';
import { wrapLine } from './wrap-line.ts';

/** A place of a table in HTML, its text laid out already. */
export interface HtmlCell {
  readonly text: string;
  readonly colspan: number;
  readonly rowspan: number;
}

/**
 * Rows as text in aligned columns, `width` at most: the widest give way first, and their texts go on
 * in lines below. A word alone is never parted. Wide characters count two.
 */
export function htmlTable(rows: readonly (readonly HtmlCell[])[], width: number): string {
  const grid = placesOf(rows);
  const columns = grid.reduce((most, row) => Math.max(most, row.length), 0);
  const widths = Array.from({ length: columns }, (_, at) => widest(grid, at));
  const floors = widths.map((most, at) => Math.min(most, longestWord(grid, at)));
  narrow(widths, floors, width - gap.length * (columns - 1));
  return grid.flatMap((row) => linesOf(row, widths)).join('\n');
}

const gap = '   ';

/** No text is set off by more than this, and no cell spans more: one long word would make a page of blanks. */
const mostColumns = 200;
const mostSpanned = 100;

/** The text of each place; nothing where a cell spans it. */
function placesOf(rows: readonly (readonly HtmlCell[])[]): string[][] {
  const grid: (string | undefined)[][] = rows.map(() => []);
  rows.forEach((cells, row) => {
    let column = 0;
    for (const { text, colspan, rowspan } of cells) {
      while (grid[row]?.[column] !== undefined) column += 1;
      const across = Math.min(colspan, mostSpanned);
      for (const below of grid.slice(row, row + Math.max(1, rowspan)))
        for (let at = 0; at < across; at += 1) below[column + at] ??= '';
      (grid[row] ??= [])[column] = text;
      column += across;
    }
  });
  return grid.map((row) => Array.from(row, (text) => text ?? ''));
}

function widest(grid: readonly (readonly string[])[], at: number): number {
  const widths = grid.map((row) => longest((row[at] ?? '').split('\n').map(widthOf)));
  return Math.min(mostColumns, longest(widths));
}

const longestWord = (grid: readonly (readonly string[])[], at: number): number =>
  longest(grid.map((row) => longest((row[at] ?? '').split(/\s+/).map(widthOf))));

const longest = (lengths: readonly number[]): number =>
  lengths.reduce((most, length) => Math.max(most, length), 0);

/** Takes from the widest, again and again. */
function narrow(widths: number[], floors: readonly number[], available: number): void {
  let excess = widths.reduce((sum, width) => sum + width, 0) - available;
  for (; excess > 0; excess -= 1) {
    const most = longest(widths.filter((width, at) => width > (floors[at] ?? 0)));
    const at = widths.findIndex((width, place) => width === most && width > (floors[place] ?? 0));
    if (at < 0) return;
    widths[at] = most - 1;
  }
}

function linesOf(row: readonly string[], widths: readonly number[]): string[] {
  const parts = row.map((text, at) =>
    text.split('\n').flatMap((line) => wrapLine(line, widths[at] ?? 0)),
  );
  const height = Math.max(1, longest(parts.map(({ length }) => length)));
  return Array.from({ length: height }, (_, line) =>
    parts
      .map((lines, at) => padded(lines[line] ?? '', widths[at] ?? 0))
      .join(gap)
      .trimEnd(),
  );
}

const padded = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - widthOf(text)));
