import { opensSection, readHeader } from '../sections.ts';
import type { Stage } from '../stage.ts';
import { plain, styleAfter } from '../style.ts';
import { markStart } from '../time-marks.ts';
import { lineEnd } from '../text.ts';
import { fold } from './fold.ts';
import { asciiBytes, newMarkup, put, reserve, take } from './markup.ts';
import { pageEnd, pageStart } from './page.ts';
import type { PageHead } from './page-head.ts';
import { spans } from './span.ts';
import { startOfText } from './start-of-text.ts';
import { writeContent, type Lines } from './write-content.ts';
import { prefixes } from './write-prefix.ts';

/** What is passed on at a time, from whatever comes at once. */
const largestPiece = 64 * 1024;

/**
 * A page of its own from settled lines with colours, links and one mark a line: sections fold,
 * lines have anchors and times. Nothing of a log becomes markup but what is written here.
 */
export function toHtml(head: PageHead): Stage {
  const section = fold(head.hasFailed === true);
  const prefix = prefixes();
  const spanOf = spans();
  const body = newMarkup();
  let span = spanOf(plain);
  let html = '';
  let isStarted = false;
  /** Of this line, and of the last one that has any. */
  let time: number | undefined;
  let last: number | undefined;
  /** A piece of an over long line came before: what follows goes on with it. */
  let within = false;

  return {
    push(text) {
      if (text !== '') begin(text.includes(markStart));
      const lines = { text, bytes: Buffer.from(text, 'latin1') };
      for (let at = 0; at < text.length;) {
        at = line(lines, at);
        if (body.length > largestPiece) addBody();
      }
      addBody();
      return takeAll();
    },
    end() {
      begin(false);
      if (within) write(lineClose);
      addBody();
      html += section.end() + pageEnd;
      return takeAll();
    },
  };

  /** The page is laid out by whether its lines have times. */
  function begin(isTimed: boolean): void {
    if (!isStarted) html = pageStart(head, isTimed);
    isStarted = true;
  }

  /** Returns where the next line begins. */
  function line(lines: Lines, at: number): number {
    let from = at;
    if (!within) {
      const start = startOfText(lines.bytes, at);
      time = start.time;
      last = time ?? last;
      from = start.text;
      prefix.next(time);
      const end = start.mayBeMarker ? lineEnd(lines.text, at) : at;
      if (end > at && marker(lines.text.slice(from, end))) return end;
      prefix.write(body);
    }
    const before = body.length;
    const written = writeContent(body, lines, from, span);
    span = written.span;
    // An empty line is copied as one only where it has something to copy.
    if (body.length === before && !within) write(lineBreak);
    within = written.end === lines.bytes.length;
    if (!within) write(lineClose);
    return written.end + 1;
  }

  /** False for a line that is no marker after all. */
  function marker(text: string): boolean {
    const header = readHeader(text);
    if (header === undefined && !opensSection(text)) return false;
    span = spanOf(styleAfter(span.style, text));
    addBody();
    html +=
      header === undefined ? section.open() : section.begin(header, { ...prefix.strings(), time });
    return true;
  }

  function write(piece: Uint8Array): void {
    reserve(body, piece.length);
    put(body, piece);
  }

  function addBody(): void {
    html += section.add(take(body), last);
  }

  function takeAll(): string {
    const all = html;
    html = '';
    return all;
  }
}

const lineBreak = asciiBytes('<br>');
const lineClose = asciiBytes('</div>\n');
