/** Lines of a log from anywhere in it, for a page whose policy allows no `style`. */
import { opensSection, readHeader } from '../sections.ts';
import { styleAfter, type Style } from '../style.ts';
import { lineEnd } from '../text.ts';
import { classColours } from './class-colours.ts';
import { cutLine } from './cut-line.ts';
import { asciiBytes, newMarkup, put, reserve, take, type Markup } from './markup.ts';
import { spans } from './span.ts';
import { startOfText } from './start-of-text.ts';
import { writeContent } from './write-content.ts';
import { prefixes } from './write-prefix.ts';

/** Settled lines, one mark a line. */
export interface SettledLines {
  readonly lines: string;
  /** The number of the first one, and the style that it begins with. */
  readonly first: number;
  readonly before: Style;
}

/** Each line as an element with its number, as a byte string; of lines too long the beginning. */
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
    // One that opens its section is no text, but has its number.
    if (opensSection(line)) write(markup, `<div id="${prefix.strings().id}" hidden></div>\n`);
    else writeLine(line);
    style = styleAfter(style, line);
  }
  return take(markup);

  function writeLine(text: string): void {
    prefix.write(markup);
    const start = markup.length;
    const { shown, rest } = cutLine(text);
    writeContent(markup, linesOf(shown), 0, spanOf(style));
    if (markup.length === start) write(markup, '<br>');
    if (rest > 0) write(markup, `<i>${rest} bytes more</i>`);
    write(markup, '</div>\n');
  }
}

/** What stands before the name of a header, and the name, as byte strings. */
export function headerMarkup({ lines, first }: SettledLines): { before: string; name: string } {
  const prefix = prefixes({ first, hasDays: false, isTabbed: false });
  const { time, text } = startOfText(Buffer.from(lines, 'latin1'), 0);
  prefix.next(time);
  const { before } = prefix.strings();
  return { before, name: readHeader(lines.slice(text))?.name ?? '' };
}

const linesOf = (text: string) => ({ text, bytes: Buffer.from(text, 'latin1') });

function write(markup: Markup, piece: string): void {
  const bytes = asciiBytes(piece);
  reserve(markup, bytes.length);
  put(markup, bytes);
}
