import { clockTimes } from '../format-time.ts';
import { asciiBytes, put, reserve, type Markup } from './markup.ts';

/** What stands before the lines of a page: their numbers, and their times. */
export interface Prefixes {
  /** Goes on to the next line. */
  next(time: number | undefined): void;
  /** Begins the line as an element of its own, behind its day where that is a new one. */
  write(markup: Markup): void;
  /** The same as strings, for a line that is another element: its anchor, day and beginning. */
  readonly strings: () => { readonly id: string; readonly day: string; readonly before: string };
}

interface PrefixOptions {
  /** What the id of a line begins with, so that two logs can stand on one page. */
  readonly name?: string;
  /** Whether the number of a line links to it: a page with thousands of links is hard to walk. */
  readonly isLinked?: boolean;
  /** The number of the first line. */
  readonly first?: number;
  /** Whether the day of a line is said where that is a new one. */
  readonly hasDays?: boolean;
  /** Whether the tab key goes through the numbers: in a page of many other things it would for ever. */
  readonly isTabbed?: boolean;
}

export function prefixes(options: PrefixOptions = {}): Prefixes {
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

  function strings() {
    const id = number.text();
    const shown = isLinked ? `${link}${id}">${id}</a>` : `<i>${id}</i>`;
    const before = `${shown}${Buffer.from(clock).toString('latin1')}`;
    return { id: `${name}${id}`, day: takeDay(), before };
  }

  /** Said once, on the next line that is shown. */
  function takeDay(): string {
    const taken = day;
    day = '';
    return taken;
  }
}

const inner = asciiBytes('">');

/** Counts in decimal digits: writing each number anew would cost as much as the line. */
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
