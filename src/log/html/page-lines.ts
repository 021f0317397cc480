import { opensSection, readHeader } from '../sections.ts';
import { plain, styleAfter } from '../style.ts';
import { lineEnd } from '../text.ts';
import { fold } from './fold.ts';
import { asciiBytes, newMarkup, put, reserve, take } from './markup.ts';
import { spans } from './span.ts';
import { startOfText } from './start-of-text.ts';
import { writeContent, type Lines } from './write-content.ts';
import { prefixes } from './write-prefix.ts';

/** The lines of a page. */
export interface PageLines {
  /** Settled lines, or a piece of an over long one, as markup. */
  write(text: string): string;
  end(): string;
}

/** What is passed on at a time, of whatever comes at once. */
const largestPiece = 64 * 1024;

/** `opensLast`: the last section is to be open. `name`: see `prefixes`; such lines are no links. */
export function pageLines(opensLast: boolean, name?: string): PageLines {
  const section = fold(opensLast);
  const prefix = prefixes(name === undefined ? {} : { name, isLinked: false });
  const spanOf = spans();
  const body = newMarkup();
  let span = spanOf(plain);
  let html = '';
  /** The time of this line. */
  let time: number | undefined;
  /** The time of the last line that has one. */
  let last: number | undefined;
  /** A piece of an over long line came before: what follows goes on with it. */
  let within = false;

  return {
    write(text) {
      const lines = { text, bytes: Buffer.from(text, 'latin1') };
      for (let at = 0; at < text.length;) {
        at = line(lines, at);
        if (body.length > largestPiece) addBody();
      }
      return takeAll();
    },
    end() {
      if (within) add(lineClose);
      return takeAll() + section.end();
    },
  };

  /** Returns where the next line begins. */
  function line(lines: Lines, at: number): number {
    if (within) return content(lines, at);
    const start = startOfText(lines.bytes, at);
    time = start.time;
    last = time ?? last;
    prefix.next(time);
    if (start.mayBeMarker) {
      const end = lineEnd(lines.text, at);
      if (marker(lines.text.slice(start.text, end))) return end;
    }
    prefix.write(body);
    return content(lines, start.text);
  }

  function content(lines: Lines, at: number): number {
    const before = body.length;
    const written = writeContent(body, lines, at, span);
    span = written.span;
    // An empty line is copied as one only where it has something to copy.
    if (body.length === before && !within) add(lineBreak);
    within = written.end === lines.bytes.length;
    if (!within) add(lineClose);
    return written.end + 1;
  }

  /** False for a line that is no marker after all. */
  function marker(text: string): boolean {
    const header = readHeader(text);
    if (header === undefined && !opensSection(text)) return false;
    span = spanOf(styleAfter(span.style, text));
    addBody();
    if (header === undefined) html += section.open();
    else html += section.begin(header, { ...prefix.strings(), time });
    return true;
  }

  function add(piece: Uint8Array): void {
    reserve(body, piece.length);
    put(body, piece);
  }

  function addBody(): void {
    html += section.add(take(body), last);
  }

  function takeAll(): string {
    addBody();
    const all = html;
    html = '';
    return all;
  }
}

const lineBreak = asciiBytes('<br>');
const lineClose = asciiBytes('</div>\n');
