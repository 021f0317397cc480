import { plain, styleAfter, type Style } from './style.ts';
import { startOfLast } from './text.ts';

/** The last settled lines, kept because a cursor may still go up to them. */
export interface Scrollback {
  add(lines: string): void;
  /** What is above the lines that are kept. */
  take(): string;
  takeAll(): string;
  /** Takes the last `count` lines back out; `before` leads to the style that they begin with. */
  lift(count: number): { lines: string; before: { style: Style; lines: string } };
}

/** With less than this, lines are not counted: more of them may be kept than need be. */
const enough = 16 * 1024;

export function createScrollback(count: number): Scrollback {
  let out = '';
  let lines = '';
  /** The style at the beginning of `lines`. */
  let style: Style = plain;

  return {
    add(text) {
      const cut = startOfLast(text, count);
      // Mostly these lines alone are enough to keep: they are not put together with the others.
      if (cut > 0) evict(lines.length);
      lines += text;
      if (cut > 0) evict(cut);
    },
    take() {
      if (lines.length > enough) evict(startOfLast(lines, count));
      const taken = out;
      out = '';
      return taken;
    },
    takeAll() {
      evict(lines.length);
      return out;
    },
    lift(wantedCount) {
      const cut = lines.endsWith('\n')
        ? startOfLast(lines, Math.min(wantedCount, count))
        : lines.length;
      const lifted = lines.slice(cut);
      lines = lines.slice(0, cut);
      return { lines: lifted, before: { style, lines } };
    },
  };

  function evict(end: number): void {
    const evicted = lines.slice(0, end);
    style = styleAfter(style, evicted);
    out += evicted;
    lines = lines.slice(end);
  }
}
