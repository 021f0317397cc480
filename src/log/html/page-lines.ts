import { opensSection, readHeader, type Header } from '../sections.ts';
import { plain, styleAfter } from '../style.ts';
import { lineEnd, toBytes } from '../text.ts';
import { append, asciiBytes, newMarkup, take } from './markup.ts';
import { spans } from './span.ts';
import { startOfText } from '../time-marks.ts';
import { writeContent, type Lines, type Prefixes, prefixes } from './write-line.ts';
import { spanText } from '../format-time.ts';
import { textMarkup } from './write-text.ts';

/** `opensLast` opens the last section. `name` (see `prefixes`) disables links on line numbers. */
export function pageLines(opensLast: boolean, name?: string) {
  const section = fold(opensLast);
  const prefix = prefixes(name === undefined ? {} : { name, isLinked: false });
  const spanOf = spans();
  const body = newMarkup();
  let span = spanOf(plain);
  let html = '';
  let time: number | undefined;
  let last: number | undefined;
  /** Whether an overlong line continues in the next chunk. */
  let within = false;

  return {
    /** Converts settled lines, or a chunk of an overlong line, to markup. */
    write(text: string): string {
      const lines = { text, bytes: Buffer.from(text, 'latin1') };
      for (let at = 0; at < text.length;) {
        at = line(lines, at);
        if (body.length > 64 * 1024) addBody();
      }
      return takeAll();
    },
    end(): string {
      if (within) append(body, lineClose);
      return takeAll() + section.end();
    },
  };

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
    // An empty line needs content, because otherwise it is missing when the text is copied.
    if (body.length === before && !within) append(body, lineBreak);
    within = written.end === lines.bytes.length;
    if (!within) append(body, lineClose);
    return written.end + 1;
  }

  /** Returns whether the line is a header. A line that opens a section is shown as text. */
  function marker(text: string): boolean {
    const header = readHeader(text);
    if (header === undefined && !opensSection(text)) return false;
    addBody();
    if (header === undefined) {
      html += section.open();
      return false;
    }
    span = spanOf(styleAfter(span.style, text));
    html += section.begin(header, prefix.strings(), time);
    return true;
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

/** In bytes. A folded section is buffered up to this size, because a later line may open it. */
const mostBuffered = 2 * 1024 * 1024;
/** In bytes. The end of a larger section stays buffered: it usually shows why a job failed. */
const mostRecent = 256 * 1024;

function fold(opensLast: boolean) {
  let state: 'none' | 'buffered' | 'closed' | 'open' = 'none';
  let name = '';
  /** The HTML of a buffered section up to its tag name and, if it has one, its `open` attribute. */
  let start = '';
  let began: number | undefined;
  let last: number | undefined;
  const lines = recent();

  return { begin, add, open, end: () => (opensLast ? open() : '') + end(last) };

  function begin(
    { marker, name: title }: Header,
    { id, day, before }: ReturnType<Prefixes['strings']>,
    time: number | undefined,
  ): string {
    const ended = end(time ?? last);
    name = textMarkup(toBytes(title));
    const kind = marker === '~~~' ? ' class="muted"' : '';
    start = `${kind}><summary id="${id}">${before}${name}</summary>\n`;
    began = last = time;
    state = 'buffered';
    const html = `${ended}${day}<section>`;
    return marker === '+++' ? html + open() : html;
  }

  /** Adds whole lines or chunks of an overlong line; `time` is the time of the last line. */
  function add(html: string, time: number | undefined): string {
    last = time ?? last;
    if (state === 'none' || state === 'open') return html;
    lines.add(html);
    if (state === 'closed') return lines.takeAbove(mostRecent);
    return lines.size() > mostBuffered ? release(false) + lines.takeAbove(mostRecent) : '';
  }

  function open(): string {
    if (state === 'buffered') return release(true) + lines.takeAll();
    if (state !== 'closed') return '';
    state = 'open';
    const continued = `</details>\n<details open><summary>${name} (continued)</summary>\n`;
    return lines.takeRestOfLine() + continued + lines.takeAll();
  }

  function end(time: number | undefined): string {
    if (state === 'none') return '';
    const rest = (state === 'buffered' ? release(false) : '') + lines.takeAll();
    state = 'none';
    return `${rest}</details>${took(time)}</section>\n`;
  }

  function release(opens: boolean): string {
    state = opens ? 'open' : 'closed';
    return `<details${opens ? ' open' : ''}${start}`;
  }

  /** The duration is written after the section, when it is known, but displayed in its header. */
  function took(time: number | undefined): string {
    if (began === undefined || time === undefined) return '';
    return `<span class="took">${spanText(time - began)}</span>`;
  }
}

function recent() {
  let pieces: string[] = [];
  let size = 0;
  let isTorn = false;

  return {
    add(html: string): void {
      if (html === '') return;
      pieces.push(html);
      size += html.length;
    },
    size: (): number => size,
    /** Removes chunks from the front until at most `most` bytes or one chunk is left. */
    takeAbove: (most: number): string => takeWhile((left) => size > most && left > 1),
    takeRestOfLine: (): string => takeWhile(() => isTorn),
    takeAll(): string {
      const all = pieces.join('');
      pieces = [];
      size = 0;
      isTorn = false;
      return all;
    },
  };

  /** Removes chunks while `isWanted` returns true for the number of chunks that are left. */
  function takeWhile(isWanted: (left: number) => boolean): string {
    let count = 0;
    while (count < pieces.length && isWanted(pieces.length - count)) {
      const piece = pieces[count++] ?? '';
      size -= piece.length;
      isTorn = !piece.endsWith('\n');
    }
    const taken = pieces.slice(0, count).join('');
    pieces = pieces.slice(count);
    return taken;
  }
}
