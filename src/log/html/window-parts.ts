/** What is shown of a log as markup: sections that fold, lines with numbers, and gaps that can be filled. */
import { toBytes, toText } from '../text.ts';
import type { Part, Piece } from '../windows/plan-window.ts';
import type { SectionPart } from '../windows/window-blocks.ts';
import type { Lines } from '../windows/window-options.ts';
import { escapeHtml } from './escape.ts';
import { spanText } from './span-text.ts';
import { headerMarkup, windowLines, type SettledLines } from './window-lines.ts';
import { textMarkup } from './write-text.ts';

/** The settled lines of a piece, in order. */
export type ReadLines = (lines: Lines) => readonly SettledLines[];

/** All parts as text: elements that stand one after the other. */
export const windowParts = (parts: readonly Part[], read: ReadLines): string =>
  toText(parts.map((part) => partMarkup(part, read)).join(''));

function partMarkup({ section, pieces }: Part, read: ReadLines): string {
  const inside = pieces.map((piece) => pieceMarkup(piece, read)).join('');
  return section === undefined ? inside : sectionMarkup(section, inside, read);
}

function sectionMarkup(section: SectionPart, inside: string, read: ReadLines): string {
  const { line, marker, isOpen, took } = section;
  const name = textMarkup(toBytes(section.name));
  const kind = marker === '~~~' ? ' class="muted"' : '';
  const time = took === undefined ? '' : `<span class="took">${spanText(took)}</span>`;
  return (
    `<section data-line="${line}"${kind}>${numberOf(section, read)}` +
    `<details${isOpen ? ' open' : ''}>${summaryOf(section, name)}\n${inside}</details>${time}</section>\n`
  );
}

/** Beside the summary, in which a link would be a control within a control. */
function numberOf({ hasHeader, line }: SectionPart, read: ReadLines): string {
  const [header] = hasHeader ? read({ from: line, to: line + 1 }) : [];
  return header === undefined ? '' : headerMarkup(header).before;
}

const summaryOf = ({ hasHeader, line }: SectionPart, name: string): string =>
  hasHeader
    ? `<summary id="L${line}">${name}</summary>`
    : `<summary class="continued">${name} (continued)</summary>`;

const pieceMarkup = (piece: Piece, read: ReadLines): string =>
  piece.kind === 'gap' ? gapMarkup(piece) : read(piece).map(windowLines).join('');

/** Without scripts its links lead to a page of those lines; a script fills it. */
function gapMarkup({ from, to }: Lines): string {
  const count = (to - from).toLocaleString('en');
  const last = to - 1;
  const first = `<a href="?from=${from}#L${from}">from line ${from}</a>`;
  // Around it, which opens its section: all lines before the next one may be folded.
  const end = `<a href="?at=${last}#L${last}">up to line ${last}</a>`;
  const text = to - from === 1 ? '1 line' : `${count} lines`;
  return `<p class="gap" data-from="${from}" data-to="${to}">${escapeHtml(text)}: ${first}, ${end}</p>\n`;
}
