import { toBytes, toText } from '../text.ts';
import { escapeHtml } from './escape.ts';
import { safeAddress } from './link.ts';
import { asciiBytes, put, reserve, type Markup } from './markup.ts';
import type { Span } from './span.ts';
import { mostGrowth, writeText } from './write-text.ts';

/** Settled lines, as bytes and as a byte string of the same. */
export interface Lines {
  readonly bytes: Uint8Array;
  readonly text: string;
}

/** Where a line ends, before its newline, and the span that it leaves to the next. */
export interface Written {
  readonly end: number;
  readonly span: Span;
}

/** Writes what is in a line from `from` on, without a mark, with its colours and links. */
export function writeContent(
  markup: Markup,
  { bytes, text }: Lines,
  from: number,
  before: Span,
): Written {
  let span = before;
  let inLink = false;
  let at = from;
  while (at < bytes.length && bytes[at] !== newline) {
    if (bytes[at] !== escape) {
      at = writeSpan(markup, bytes, at, span);
      continue;
    }
    const end = endOfColours(bytes, at);
    if (end > 0) {
      span = span.after(text.slice(at + 2, end - 1));
      at = end;
      continue;
    }
    link.lastIndex = at;
    const [whole = ' ', address] = link.exec(text) ?? [];
    if (address !== undefined) inLink = writeLink(markup, address, inLink);
    at += whole.length;
  }
  if (inLink) write(markup, closeLink);
  return { end: at, span };
}

/** What room is made for at a time. */
const longestPiece = 16 * 1024;

/** Writes text in a span up to the next sequence or the end of its line, and returns where that is. */
function writeSpan(markup: Markup, bytes: Uint8Array, start: number, span: Span): number {
  reserve(markup, span.open.length);
  put(markup, span.open);
  let at = start;
  do {
    const to = Math.min(bytes.length, at + longestPiece);
    reserve(markup, (to - at) * mostGrowth + span.close.length);
    at = writeText(markup, bytes, { from: at, to, start });
  } while (at < bytes.length && bytes[at] !== escape && bytes[at] !== newline);
  put(markup, span.close);
  return at;
}

const newline = 0x0a;
const escape = 0x1b;
const link = /\x1b\]8;[^;\x07\x1b]*;([^\x07\x1b]*)(?:\x07|\x1b\\)/y;
const closeLink = asciiBytes('</a>');

/** The end of the SGR sequence at `at`; -1 where there is another. */
function endOfColours(bytes: Uint8Array, at: number): number {
  if (bytes[at + 1] !== 0x5b) return -1;
  let end = at + 2;
  // Digits, `:` and `;`.
  while ((bytes[end] as number) >= 0x30 && (bytes[end] as number) <= 0x3b) end++;
  return bytes[end] === 0x6d ? end + 1 : -1;
}

/** Ends the link before, and begins one where the address is safe. */
function writeLink(markup: Markup, bytes: string, inLink: boolean): boolean {
  if (inLink) write(markup, closeLink);
  const address = safeAddress(toText(bytes));
  if (address === undefined) return false;
  const href = toBytes(escapeHtml(address));
  write(markup, asciiBytes(`<a href="${href}" rel="noopener noreferrer nofollow">`));
  return true;
}

function write(markup: Markup, piece: Uint8Array): void {
  reserve(markup, piece.length);
  put(markup, piece);
}
