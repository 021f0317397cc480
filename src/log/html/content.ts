import { restyle, type Style } from '../style.ts';
import { toBytes, toText } from '../text.ts';
import { escapeHtml } from './escape.ts';
import { safeAddress } from './link.ts';
import type { Span } from './span.ts';

/** What is inside a line, and the style that it leaves to the next. */
export interface Content {
  readonly html: string;
  readonly style: Style;
}

/** The colours and links of a settled line as markup; `line` has no newline and no mark. */
export function lineContent(line: string, before: Style, spanOf: (style: Style) => Span): Content {
  if (!line.includes('\x1b')) return { html: wrap(line, spanOf(before)), style: before };
  let style = before;
  let html = '';
  let start = 0;
  let inLink = false;
  for (const match of line.matchAll(sequence)) {
    html += wrap(line.slice(start, match.index), spanOf(style));
    start = match.index + match[0].length;
    if (match[1] !== undefined) style = restyle(style, match[1]);
    else {
      const address = safeAddress(toText(match[2] ?? ''));
      html += (inLink ? '</a>' : '') + (address === undefined ? '' : openLink(address));
      inLink = address !== undefined;
    }
  }
  html += wrap(line.slice(start), spanOf(style));
  return { html: inLink ? `${html}</a>` : html, style };
}

const sequence = /\x1b(?:\[([0-9;:]*)m|\]8;[^;\x07\x1b]*;([^\x07\x1b]*)(?:\x07|\x1b\\))/g;

const wrap = (text: string, { open, close }: Span): string =>
  text === '' ? '' : open + escapeHtml(text) + close;

const openLink = (address: string): string =>
  `<a href="${toBytes(escapeHtml(address))}" rel="noopener noreferrer nofollow">`;
