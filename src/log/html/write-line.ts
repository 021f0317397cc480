import { toBytes, toText } from '../text.ts';
import {
  escapeHtml,
  safeAddress,
  append,
  asciiBytes,
  put,
  reserve,
  type Markup,
} from './markup.ts';
import type { Span } from './span.ts';
import { mostGrowth, writeText } from './write-text.ts';
import { clockTimes } from '../format-time.ts';

export interface Lines {
  readonly bytes: Uint8Array;
  readonly text: string;
}

/** Writes a line, except its mark. Returns the newline's offset and the span still open there. */
export function writeContent(
  markup: Markup,
  { bytes, text }: Lines,
  from: number,
  before: Span,
): { readonly end: number; readonly span: Span } {
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
  if (inLink) append(markup, closeLink);
  return { end: at, span };
}

function writeSpan(markup: Markup, bytes: Uint8Array, start: number, span: Span): number {
  reserve(markup, span.open.length);
  put(markup, span.open);
  let at = start;
  do {
    const to = Math.min(bytes.length, at + 16 * 1024);
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

/** The end of the SGR sequence at `at`; -1 for any other sequence. */
function endOfColours(bytes: Uint8Array, at: number): number {
  if (bytes[at + 1] !== 0x5b) return -1;
  let end = at + 2;
  while ((bytes[end] as number) >= 0x30 && (bytes[end] as number) <= 0x3b) end++;
  return bytes[end] === 0x6d ? end + 1 : -1;
}

function writeLink(markup: Markup, bytes: string, inLink: boolean): boolean {
  if (inLink) append(markup, closeLink);
  const address = safeAddress(toText(bytes));
  if (address === undefined) return false;
  const href = toBytes(escapeHtml(address));
  append(markup, asciiBytes(`<a href="${href}" rel="noopener noreferrer nofollow">`));
  return true;
}

interface PrefixOptions {
  /** Prefix of line IDs, so that a page can contain several logs (default: `L`) */
  readonly name?: string;
  /** Whether line numbers are links. Thousands of links make keyboard navigation hard. */
  readonly isLinked?: boolean;
  readonly first?: number;
  readonly hasDays?: boolean;
  /** Whether the Tab key stops at line numbers. It should not on pages with other content. */
  readonly isTabbed?: boolean;
}

export type Prefixes = ReturnType<typeof prefixes>;

/** Writes the line numbers and times before the lines of a page. */
export function prefixes(options: PrefixOptions = {}) {
  const { name = 'L', isLinked = true, first = 1, hasDays = true, isTabbed = true } = options;
  const clockTime = clockTimes();
  const number = counter(first - 1);
  let second: number | undefined;
  let day = '';
  let clock = asciiBytes('');
  const start = asciiBytes(`<div id="${name}`);
  const link = `<a ${isTabbed ? '' : 'tabindex="-1" '}href="#${name}`;
  const anchor = asciiBytes(isLinked ? `">${link}` : '"><i>');
  const end = asciiBytes(isLinked ? '</a>' : '</i>');

  return { next, write, strings };

  function next(time: number | undefined): void {
    number.increment();
    const now = time === undefined ? undefined : Math.floor(time / 1000);
    if (now === second) return;
    second = now;
    const text = time === undefined ? '' : clockTime(time);
    if (hasDays && text.length > 8) day = `<div class="day">${text.slice(0, -9)}</div>`;
    clock = asciiBytes(text === '' ? '' : `<time>${text.slice(-8)}</time>`);
  }

  function write(markup: Markup): void {
    reserve(markup, 256);
    if (day !== '') put(markup, asciiBytes(takeDay()));
    put(markup, start);
    number.write(markup);
    put(markup, anchor);
    number.write(markup);
    if (isLinked) {
      put(markup, inner);
      number.write(markup);
    }
    put(markup, end);
    put(markup, clock);
  }

  function strings(): { readonly id: string; readonly day: string; readonly before: string } {
    const id = number.text();
    const shown = isLinked ? `${link}${id}">${id}</a>` : `<i>${id}</i>`;
    const before = `${shown}${Buffer.from(clock).toString('latin1')}`;
    return { id: `${name}${id}`, day: takeDay(), before };
  }

  function takeDay(): string {
    const taken = day;
    day = '';
    return taken;
  }
}

const inner = asciiBytes('">');

/** Increments decimal digits, because formatting each number would nearly double the time. */
function counter(start: number) {
  const digits = asciiBytes(String(start).padStart(20, '0'));
  let first = digits.length - (start === 0 ? 0 : String(start).length);
  return {
    increment(): void {
      let at = digits.length - 1;
      while (digits[at] === 0x39) digits[at--] = 0x30;
      digits[at] = (digits[at] as number) + 1;
      if (at < first) first = at;
    },
    write(markup: Markup): void {
      const { bytes } = markup;
      let to = markup.length;
      for (let at = first; at < digits.length; at++) bytes[to++] = digits[at] as number;
      markup.length = to;
    },
    text: (): string => Buffer.from(digits.subarray(first)).toString('latin1'),
  };
}
