import { compile, type DomNode, type HtmlToTextOptions, type FormatCallback } from 'html-to-text';
import { widestAbove } from './fit.ts';
import { withShortcodes, type WriteEmojis } from './shortcodes.ts';
import { cleanText } from '../common/untrusted-text.ts';
import { widthOf, wrapLine } from './width.ts';

/**
 * Converts untrusted HTML to printable text. Headings, lists, tables, code and URLs stay
 * recognizable. Lines are wrapped at `width` unless it is `Infinity`. `emojis` replaces shortcodes
 * before columns are measured. The text ends with a newline, unless it is empty.
 */
export function htmlToText(
  html: string,
  width: number,
  emojis: WriteEmojis = withShortcodes,
): string {
  const wordwrap = Number.isFinite(width) ? width : false;
  const formatters = { ...options.formatters, fittedTable: fittedTable(width, emojis) };
  const plain = compile({ ...options, formatters, wordwrap })(html);
  const text = emojis(cleanText(plain)).replace(/[ \t]+$/gm, '');
  const trimmed = text.replace(/^\n+|\n+$/g, '');
  return trimmed === '' ? '' : `${trimmed}\n`;
}

/** Content nested more deeply than this is replaced with an ellipsis. */
const maxDepth = 100;

const heading = (level: number) => ({
  selector: `h${level}`,
  options: { uppercase: false, leadingLineBreaks: 2, trailingLineBreaks: 2 },
  format: 'markedHeading',
});

/** The library declares the values as `any`. */
const attributes = ({ attribs }: DomNode): Readonly<Record<string, string>> =>
  (attribs ?? {}) as Record<string, string>;

const options: HtmlToTextOptions = {
  limits: { maxDepth, maxInputLength: undefined, ellipsis: '…' },
  formatters: {
    markedHeading(element, walk, builder, { leadingLineBreaks, trailingLineBreaks }) {
      builder.openBlock({ leadingLineBreaks: leadingLineBreaks as number });
      builder.addInline(`${'#'.repeat(Number((element.name ?? 'h1').slice(1)))} `);
      walk(element.children, builder);
      builder.closeBlock({ trailingLineBreaks: trailingLineBreaks as number });
    },
    indented(element, walk, builder) {
      builder.openBlock({ leadingLineBreaks: 2, isPre: true });
      walk(element.children, builder);
      builder.closeBlock({
        trailingLineBreaks: 2,
        blockTransform: (text) => text.replace(/\n$/, '').replace(/^/gm, '    '),
      });
    },
    alternative(element, _walk, builder) {
      builder.addInline(attributes(element)['alt'] ?? '');
    },
    checkbox(element, _walk, builder) {
      builder.addInline('checked' in attributes(element) ? '[x]' : '[ ]');
    },
  },
  selectors: [
    ...[1, 2, 3, 4, 5, 6].map(heading),
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true } },
    { selector: 'code', format: 'inlineSurround', options: { prefix: '`', suffix: '`' } },
    { selector: 'pre', format: 'indented' },
    { selector: 'pre > code', format: 'inline' },
    { selector: 'del', format: 'inlineSurround', options: { prefix: '~~', suffix: '~~' } },
    { selector: 'table', format: 'fittedTable' },
    { selector: 'ul', options: { itemPrefix: '- ' } },
    { selector: 'summary', format: 'block' },
    { selector: 'img.emoji', format: 'alternative' },
    { selector: 'input[type=checkbox]', format: 'checkbox' },
    ...['script', 'style', 'template', 'head', 'title', 'noscript', 'iframe', 'object'].map(
      (selector) => ({ selector, format: 'skip' }),
    ),
  ],
};

/** The library's own tables measure text in characters and ignore the width of the terminal. */
const fittedTable =
  (width: number, emojis: WriteEmojis): FormatCallback =>
  (element, walk, builder) => {
    const clean = (cell: HtmlCell): HtmlCell => ({ ...cell, text: emojis(cleanText(cell.text)) });
    builder.openTable();
    for (const row of rowsIn(element.children)) {
      builder.openTableRow();
      for (const cell of row.children.filter(({ name }) => name === 'td' || name === 'th')) {
        // The width is limited later, when the columns and character widths are known.
        builder.openTableCell({ maxColumnWidth: Infinity });
        walk(cell.children, builder);
        builder.closeTableCell({ colspan: span(cell, 'colspan'), rowspan: span(cell, 'rowspan') });
      }
      builder.closeTableRow();
    }
    const tableToString = (rows: HtmlCell[][]): string =>
      htmlTable(
        rows.map((row) => row.map(clean)),
        width,
      );
    builder.closeTable({ tableToString, leadingLineBreaks: 2, trailingLineBreaks: 2 });
  };

const rowsIn = (nodes: readonly DomNode[]): DomNode[] =>
  nodes.flatMap((node) => {
    if (node.name === 'tr') return [node];
    return parts.has(node.name ?? '') ? rowsIn(node.children) : [];
  });

const parts = new Set(['thead', 'tbody', 'tfoot', 'center']);

function span({ attribs }: DomNode, name: string): number {
  const wanted = Number((attribs as Readonly<Record<string, string>> | undefined)?.[name]);
  return Number.isInteger(wanted) && wanted > 1 ? wanted : 1;
}

interface HtmlCell {
  readonly text: string;
  readonly colspan: number;
  readonly rowspan: number;
}

/** Formats rows in aligned columns. Narrows the widest columns and wraps their text. */
function htmlTable(rows: readonly (readonly HtmlCell[])[], width: number): string {
  const grid = placesOf(rows);
  const columns = grid.reduce((most, row) => Math.max(most, row.length), 0);
  const widths = Array.from({ length: columns }, (_, at) => widest(grid, at));
  const floors = widths.map((most, at) => Math.min(most, longestWord(grid, at)));
  narrow(widths, floors, width - gap.length * (columns - 1));
  return grid.flatMap((row) => linesOf(row, widths)).join('\n');
}

const gap = '   ';

/** Limits tables, because one long word or column span could otherwise fill a page with spaces. */
const mostColumns = 200;
const mostSpanned = 100;

/** The text of each cell; empty if another cell spans it. */
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

/** Repeatedly narrows the widest column. */
function narrow(widths: number[], floors: readonly number[], available: number): void {
  let excess = widths.reduce((sum, width) => sum + width, 0) - available;
  for (; excess > 0; excess -= 1) {
    const at = widestAbove(widths, floors);
    if (at === undefined) return;
    widths[at] = (widths[at] ?? 0) - 1;
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
