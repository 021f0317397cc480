import { compile, type DomNode, type HtmlToTextOptions } from 'html-to-text';
import { fittedTable } from './html-table-formatter.ts';
import { withShortcodes, type WriteEmojis } from './shortcodes.ts';
import { cleanText } from '../common/untrusted-text.ts';

/**
 * HTML as text for people: headings, lists, tables, code and the addresses of links stay visible.
 * The HTML is untrusted; nothing but printable text comes out. `width` is where lines are broken,
 * `Infinity` for nowhere; `emojis` writes the shortcodes before columns are measured. Ends with a
 * newline, unless nothing is there to be read.
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

/** Deeper than any page is meant to be: what lies below is left out, and marked by an ellipsis. */
const maxDepth = 100;

const heading = (level: number) => ({
  selector: `h${level}`,
  options: { uppercase: false, leadingLineBreaks: 2, trailingLineBreaks: 2 },
  format: 'markedHeading',
});

/** The library's type says that they may be anything. */
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
      builder.openBlock({ leadingLineBreaks: 2, isPre: true, reservedLineLength: 4 });
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
