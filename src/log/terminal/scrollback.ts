import { longestLine } from '../line-buffer.ts';
import { plain, styleAfter, type Style } from '../style.ts';
import { startOfLast } from '../text.ts';

/** The last settled lines, kept because a cursor may still go up to them. */
export interface Scrollback {
  add(text: string): void;
  /** Lines that are shown already, and that no cursor goes back to, nor to those before them. */
  pass(shown: string): void;
  /** The last line has its newline. */
  isEnded(): boolean;
  /** What is above the lines that are kept, as it is shown. */
  take(): string;
  /** What is left, as it was added. */
  takeAll(): string;
  /** Takes the last `count` lines back out; `before` leads to the style that they begin with. */
  lift(count: number): { lines: string; before: { style: Style; lines: string } };
  /** The lines that could be lifted. */
  last(): string;
  /** Ends the last line, and lets go of all of them. */
  seal(): void;
}

/** With less than this, lines are not counted: more of them may be kept than need be. */
const enough = 16 * 1024;

const asItIs = (lines: string): string => lines;

export function createScrollback(count: number, show = asItIs): Scrollback {
  let shown = '';
  let out = '';
  let lines = '';
  /** The style at the beginning of `lines`. */
  let style: Style = plain;
  /** The length of the last line as long as it lacks its newline. */
  let unended = 0;
  /** Length of `lines` beyond which those too many go. */
  let bound = enough;

  return { add, pass, isEnded: () => unended === 0, take, takeAll, lift, last, seal };

  function add(text: string): void {
    const cut = Math.max(startOfLast(text, count), endOfOverlong(text));
    // Mostly these lines alone are enough to keep: they are not put together with the others.
    if (cut > 0) evict(lines.length);
    lines += text;
    if (cut > 0) evict(cut);
    unended = lengthOfLast(text);
    if (unended > longestLine) evict(lines.length);
    else if (lines.length > bound) cutBack();
  }

  /** What is lifted is cut off from all lines: many of them would be read for each time the cursor goes up. */
  function cutBack(): void {
    evict(startOfLast(lines, count));
    bound = Math.max(enough, 2 * lines.length);
  }

  function pass(text: string): void {
    evict(lines.length);
    style = styleAfter(style, text);
    shown += showOut() + text;
  }

  function showOut(): string {
    const text = show(out);
    out = '';
    return text;
  }

  /** Where a line ends that came in pieces because it is too long: no cursor goes back to it. */
  function endOfOverlong(text: string): number {
    if (unended === 0) return 0;
    const newline = text.indexOf('\n');
    return newline >= 0 && unended + newline > longestLine ? newline + 1 : 0;
  }

  function lengthOfLast(text: string): number {
    const newline = text.lastIndexOf('\n');
    return newline < 0 ? unended + text.length : text.length - newline - 1;
  }

  function take(): string {
    if (lines.length > enough) evict(startOfLast(lines, count));
    const taken = shown + showOut();
    shown = '';
    return taken;
  }

  function takeAll(): string {
    evict(lines.length);
    return shown + out;
  }

  function lift(wanted: number): ReturnType<Scrollback['lift']> {
    const cut = unended === 0 ? startOfLast(lines, Math.min(wanted, count)) : lines.length;
    const lifted = lines.slice(cut);
    lines = lines.slice(0, cut);
    return { lines: lifted, before: { style, lines } };
  }

  function last(): string {
    return unended === 0 ? lines.slice(startOfLast(lines, count)) : '';
  }

  function seal(): void {
    if (unended > 0) add('\n');
    evict(lines.length);
  }

  function evict(end: number): void {
    if (end === 0) return;
    const evicted = lines.slice(0, end);
    style = styleAfter(style, evicted);
    out += evicted;
    lines = lines.slice(end);
  }
}
