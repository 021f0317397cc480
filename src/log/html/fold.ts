import type { Header } from '../sections.ts';
import { toBytes } from '../text.ts';
import { recent } from './recent.ts';
import { spanText } from './span-text.ts';
import { textMarkup } from './write-text.ts';

/** Sections that fold, written as the lines come. */
export interface Fold {
  /** A header line: ends the section before and begins the next. */
  begin(header: Header, line: HeaderLine): string;
  /** Whole lines of markup, or pieces of an over long one; `time` is that of the last. */
  add(html: string, time: number | undefined): string;
  /** Opens the section that we are in. */
  open(): string;
  end(): string;
}

/** The anchor of a header line, and what stands before it and before its name. */
interface HeaderLine {
  readonly id: string;
  readonly day: string;
  readonly before: string;
  readonly time: number | undefined;
}

/** A folded section is buffered up to this size, because a line further on may open it. */
const mostBuffered = 2 * 1024 * 1024;
/** Of one that is larger the last lines are: they are those that say why something failed. */
const mostRecent = 256 * 1024;

/** `opensLast`: the last section is to be open, whatever its marker. */
export function fold(opensLast: boolean): Fold {
  let state: 'none' | 'buffered' | 'closed' | 'open' = 'none';
  let name = '';
  /** The start of a buffered section but for the word that opens it. */
  let start = '';
  let began: number | undefined;
  let last: number | undefined;
  const lines = recent();

  return { begin, add, open, end: () => (opensLast ? open() : '') + end(last) };

  function begin(header: Header, { id, day, before, time }: HeaderLine): string {
    const ended = end(time ?? last);
    name = textMarkup(toBytes(header.name));
    const kind = header.marker === '~~~' ? ' class="muted"' : '';
    start = `${kind}><summary id="${id}">${before}${name}</summary>\n`;
    began = last = time;
    state = 'buffered';
    const html = `${ended}${day}<section>`;
    return header.marker === '+++' ? html + open() : html;
  }

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

  /** Stands behind the section, where its end is known, and is shown at its head. */
  function took(time: number | undefined): string {
    if (began === undefined || time === undefined) return '';
    return `<span class="took">${spanText(time - began)}</span>`;
  }
}
