import type { Header } from '../sections.ts';
import { toBytes } from '../text.ts';
import { escapeHtml } from './escape.ts';

/** Sections that fold, written as the lines come. */
export interface Fold {
  /** A header line: ends the section before and begins the next. */
  begin(header: Header, line: HeaderLine): string;
  /** A line of markup. */
  add(html: string): string;
  /** Opens the section that we are in. */
  open(): string;
  end(): string;
}

/** The anchor of a header line, and what stands before its name. */
interface HeaderLine {
  readonly id: string;
  readonly before: string;
}

/** A folded section is buffered up to this size, because a line further on may open it. */
const mostBuffered = 2 * 1024 * 1024;

export function fold(): Fold {
  let inSection = false;
  /** Whether the section that we are in is written, and is open. */
  let isOpen = false;
  let name = '';
  /** The start of a folded section but for the word that opens it; undefined once it is written. */
  let start: string | undefined;
  let buffered = '';

  return { begin, add, open, end };

  function begin(header: Header, { id, before }: HeaderLine): string {
    const ended = end();
    inSection = true;
    name = toBytes(escapeHtml(header.name));
    const kind = header.marker === '~~~' ? ' class="muted"' : '';
    start = `${kind}><summary id="${id}">${before}${name}</summary>\n`;
    return header.marker === '+++' ? ended + release(true) : ended;
  }

  function add(html: string): string {
    if (start === undefined) return html;
    buffered += html;
    return buffered.length > mostBuffered ? release(false) : '';
  }

  function open(): string {
    if (!inSection || isOpen) return '';
    if (start !== undefined) return release(true);
    isOpen = true;
    return `</details>\n<details open><summary>${name} (continued)</summary>\n`;
  }

  function end(): string {
    const rest = release(false) + (inSection ? '</details>\n' : '');
    inSection = false;
    isOpen = false;
    return rest;
  }

  function release(opens: boolean): string {
    if (start === undefined) return '';
    isOpen = opens;
    const html = `<details${opens ? ' open' : ''}${start}${buffered}`;
    start = undefined;
    buffered = '';
    return html;
  }
}
