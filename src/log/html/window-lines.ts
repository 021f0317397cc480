import { toBytes, toText, lineEnd, startOfLast } from '../text.ts';
import type { Part, SectionPart, Lines } from '../plan-window.ts';
import { escapeHtml, append, asciiBytes, newMarkup, take } from './markup.ts';
import { spanText } from '../format-time.ts';
import { textMarkup } from './write-text.ts';
import { styleAfter, type Style, plain } from '../style.ts';
import { classColours } from './colours.ts';
import { spans } from './span.ts';
import { startOfText } from '../time-marks.ts';
import { writeContent, prefixes } from './write-line.ts';
import { linesWithMarks } from '../settle.ts';

type ReadLines = (lines: Lines) => readonly SettledLines[];

export const windowParts = (parts: readonly Part[], read: ReadLines): string =>
  toText(parts.map((part) => partMarkup(part, read)).join(''));

function partMarkup({ section, pieces }: Part, read: ReadLines): string {
  const inside = pieces.map((piece) =>
    piece.kind === 'gap' ? gapMarkup(piece) : read(piece).map(windowLines).join(''),
  );
  return section === undefined ? inside.join('') : sectionMarkup(section, inside.join(''), read);
}

function sectionMarkup(section: SectionPart, inside: string, read: ReadLines): string {
  const { line, marker, isOpen, took, hasHeader } = section;
  const name = textMarkup(toBytes(section.name));
  const kind = marker === '~~~' ? ' class="muted"' : '';
  const time = took === undefined ? '' : `<span class="took">${spanText(took)}</span>`;
  const summary = hasHeader
    ? `<summary id="L${line}">${name}</summary>`
    : `<summary class="continued">${name} (continued)</summary>`;
  return (
    `<section data-line="${line}"${kind}>${numberOf(section, read)}` +
    `<details${isOpen ? ' open' : ''}>${summary}\n${inside}</details>${time}</section>\n`
  );
}

/** `<summary>` must not contain links, so the line number is placed next to it. */
function numberOf({ hasHeader, line }: SectionPart, read: ReadLines): string {
  const [header] = hasHeader ? read({ from: line, to: line + 1 }) : [];
  if (header === undefined) return '';
  const prefix = prefixes({ first: header.first, hasDays: false, isTabbed: false });
  prefix.next(startOfText(Buffer.from(header.lines, 'latin1'), 0).time);
  return prefix.strings().before;
}

/** A script fills the gap. Without scripts, links in the gap open a page with the missing lines. */
function gapMarkup({ from, to }: Lines): string {
  const count = (to - from).toLocaleString('en');
  const last = to - 1;
  const first = `<a href="?from=${from}#L${from}">show from line ${from}</a>`;
  // The link is to the last line of the gap, because the next section may be folded.
  const end = `<a href="?at=${last}#L${last}">show up to line ${last}</a>`;
  const text = to - from === 1 ? '1 line' : `${count} lines`;
  return `<p class="gap" data-from="${from}" data-to="${to}">${escapeHtml(text)}: ${first}, ${end}</p>\n`;
}

/**
 * Settled lines with one mark each. `first`: the first line number; `before`: the initial style.
 */
export interface SettledLines {
  readonly lines: string;
  readonly first: number;
  readonly before: Style;
}

/** Truncates long lines. For pages whose content security policy forbids inline styles. */
export function windowLines({ lines, first, before }: SettledLines): string {
  const bytes = Buffer.from(lines, 'latin1');
  const markup = newMarkup();
  const prefix = prefixes({ first, hasDays: false, isTabbed: false });
  const spanOf = spans(classColours);
  let style = before;
  for (let at = 0; at < lines.length; at = lineEnd(lines, at)) {
    const { time, text } = startOfText(bytes, at);
    prefix.next(time);
    const line = lines.slice(text, lineEnd(lines, at));
    writeLine(line);
    style = styleAfter(style, line);
  }
  return take(markup);

  function write(piece: string): void {
    append(markup, asciiBytes(piece));
  }

  function writeLine(text: string): void {
    prefix.write(markup);
    const start = markup.length;
    const { shown, rest } = cutLine(text);
    const shownLines = { text: shown, bytes: Buffer.from(shown, 'latin1') };
    writeContent(markup, shownLines, 0, spanOf(style));
    if (markup.length === start) write('<br>');
    if (rest > 0) write(`<i>${rest} more bytes</i>`);
    write('</div>\n');
  }
}

const longestShown = 5000;

/** Truncates a long line without splitting characters or sequences. */
export function cutLine(line: string): { readonly shown: string; readonly rest: number } {
  if (line.length <= longestShown) return { shown: line, rest: 0 };
  let at = longestShown;
  while ((line.charCodeAt(at) & 0xc0) === 0x80) at--;
  const end = beforeSequence(line, at);
  return { shown: line.slice(0, end), rest: line.replace(/\n$/, '').length - end };
}

function beforeSequence(line: string, at: number): number {
  const start = line.lastIndexOf('\x1b', at - 1);
  if (start < 0) return at;
  const isEnd = line[start + 1] === '\\';
  const from = isEnd ? line.lastIndexOf('\x1b', start - 1) : start;
  const end = /^\x1b(?:\[[^@-~]*[@-~]|[\]_][^\x07\x1b]*(?:\x07|\x1b\\))/.exec(line.slice(from));
  return end !== null && from + end[0].length <= at ? at : Math.max(0, from);
}

/** The last lines of a log, converted from its last bytes. Their line numbers are unknown. */
export function lastLines(bytes: Uint8Array, most: number): string {
  const stage = linesWithMarks();
  const settled = stage.push(bytes.subarray(bytes.indexOf(0x0a) + 1)) + stage.end();
  const lines = settled.slice(startOfLast(settled, most));
  return toText(windowLines({ lines, first: 1, before: plain }).replace(numbers, '<div>'));
}

/** Only matches elements that `windowLines` created, because all text from the log is escaped. */
const numbers = /<div id="L\d+"><a [^>]*>\d+<\/a>/g;
