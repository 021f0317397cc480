import type { DomNode, FormatCallback } from 'html-to-text';
import { htmlTable, type HtmlCell } from './html-table.ts';
import type { WriteEmojis } from './shortcodes.ts';
import { cleanText } from '../common/untrusted-text.ts';

/** What reads a table of HTML: the library's own pads by characters, and fits no terminal. */
export const fittedTable =
  (width: number, emojis: WriteEmojis): FormatCallback =>
  (element, walk, builder) => {
    const clean = (cell: HtmlCell): HtmlCell => ({ ...cell, text: emojis(cleanText(cell.text)) });
    builder.openTable();
    for (const row of rowsIn(element.children)) {
      builder.openTableRow();
      for (const cell of row.children.filter(({ name }) => name === 'td' || name === 'th')) {
        // Not by the library: it knows neither the column nor the width of its characters.
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
