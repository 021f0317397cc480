import type { DataStream } from './stream.ts';
import { clipPainted, printablePainted } from './painted.ts';
import { widthOf } from './width.ts';

/** A part of the terminal, at the end of what was printed, that changes in place. */
export interface LiveView {
  /** Shows these lines in place of the former ones, clipped to the terminal. */
  frame(lines: readonly string[]): Promise<void>;
  /** Prints lines for good, above those that change. */
  above(lines: readonly string[]): Promise<void>;
  /** Leaves the last frame on the screen in full, and gives the cursor back. Safe to call twice. */
  close(): Promise<void>;
}

/**
 * Paints frames on a terminal. Each change is one write, which overwrites the former frame line by
 * line, so that nothing flickers. Lines may hold colours; other control characters are taken out.
 * Whoever opens a view has to close it, in `finally`: the cursor is hidden meanwhile.
 */
export function openLiveView(stream: Pick<DataStream, 'width' | 'height' | 'write'>): LiveView {
  let lines: readonly string[] = [];
  let shown: readonly string[] = [];
  let isOpen = false;
  const paint = async (before: readonly string[], next: readonly string[]): Promise<void> => {
    const start = `${isOpen ? '' : hideCursor}${goUp(rowsOf(shown, stream))}`;
    isOpen = true;
    shown = next;
    // Erased before it is written: at the right edge erasing would take the last character away.
    const text = [...before, ...next].map((line) => `${eraseLine}${line}\n`).join('');
    await stream.write(`${start}${text}${eraseBelow}`);
  };
  return {
    async frame(next) {
      lines = next.map(printablePainted);
      const clipped = clip(lines, stream);
      if (!isOpen || !isSame(clipped, shown)) await paint([], clipped);
    },
    above: (text) => paint(text.map(printablePainted), clip(lines, stream)),
    async close() {
      if (!isOpen) return;
      const all = lines.map((line) => clipPainted(line, stream.width));
      if (!isSame(all, shown)) await paint([], all);
      isOpen = false;
      [lines, shown] = [[], []];
      await stream.write(showCursor);
    },
  };
}

const hideCursor = '\x1b[?25l';
const showCursor = '\x1b[?25h';
const eraseLine = '\x1b[K';
const eraseBelow = '\x1b[J';
const goUp = (rows: number): string => (rows > 0 ? `\x1b[${rows}A\r` : '\r');

type Screen = Pick<DataStream, 'width' | 'height'>;

/** The row below the frame holds the cursor; what finds no room is counted in the last line. */
function clip(lines: readonly string[], { width, height }: Screen): string[] {
  const room = Math.max(1, height - 1);
  const hidden = lines.length - room + 1;
  const kept = lines.length > room ? [...lines.slice(0, room - 1), `… ${hidden} more`] : lines;
  return kept.map((line) => clipPainted(line, width));
}

/** Rows that lines take now: a terminal made narrower has wrapped them; what scrolled out is gone. */
function rowsOf(lines: readonly string[], { width, height }: Screen): number {
  const rows = lines.map((line) => Math.max(1, Math.ceil(widthOf(line) / width)));
  return Math.min(
    rows.reduce((sum, count) => sum + count, 0),
    height - 1,
  );
}

const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((line, at) => line === b[at]);
