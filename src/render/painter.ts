import type { DataStream } from './data-stream.ts';
import { clipPainted, printablePainted, widthOf } from './width.ts';

/** Shows lines that change in place at the bottom of a terminal. Other text scrolls above them. */
export interface Painter {
  /** Replaces the lines. Clips them to the size of the terminal. */
  readonly paint: (lines: readonly string[]) => Promise<void>;
  /** Prints complete lines above the lines that change in place. */
  readonly above: (text: string) => Promise<void>;
  /** Shows all of these lines (by default the current lines) and the cursor. Safe to call twice. */
  readonly close: (lines?: readonly string[]) => Promise<void>;
}

type Screen = Pick<DataStream, 'width' | 'height' | 'write'>;

/**
 * Each change is a single write that overwrites the old lines, to avoid flicker. Lines may contain
 * colors; other control characters are removed. Call `close` in a `finally` block, because the
 * cursor is hidden until then.
 */
export function createPainter(screen: Screen): Painter {
  let lines: readonly string[] = [];
  let shown: readonly string[] = [];
  let isOpen = false;
  const replace = async (above: readonly string[], next: readonly string[]): Promise<void> => {
    const start = `${isOpen ? '' : hideCursor}${cursorUp(rowsOf(shown, screen))}`;
    isOpen = true;
    shown = next;
    // Erases before writing, because at the right edge erasing would remove the last character.
    const text = [...above, ...next].map((line) => `${eraserFor(line)}${line}\n`).join('');
    await screen.write(`${start}${text}${eraseBelow}`);
  };
  const eraserFor = (line: string): string =>
    widthOf(line) > screen.width ? eraseBelow : eraseLine;
  return {
    async paint(next) {
      lines = next.map(printablePainted);
      const clipped = clip(lines, screen);
      if (!isOpen || !isSame(clipped, shown)) await replace([], clipped);
    },
    async above(text) {
      const above = text.replace(/\n$/, '').split('\n').map(printablePainted);
      if (text !== '') await replace(above, clip(lines, screen));
    },
    async close(last = lines) {
      if (!isOpen) return;
      const all = last.map((line) => clipPainted(printablePainted(line), screen.width));
      if (!isSame(all, shown)) await replace([], all);
      isOpen = false;
      [lines, shown] = [[], []];
      // Erases echoed input such as `^C`.
      await screen.write(`\r${eraseLine}${showCursor}`);
    },
  };
}

const hideCursor = '\x1b[?25l';
const showCursor = '\x1b[?25h';
const eraseLine = '\x1b[K';
const eraseBelow = '\x1b[J';
const cursorUp = (rows: number): string => (rows > 0 ? `\x1b[${rows}A\r` : '\r');

/** Leaves a row for the cursor. If not all lines fit, the last row says how many are missing. */
function clip(lines: readonly string[], { width, height }: Screen): string[] {
  const available = Math.max(1, height - 1);
  const hidden = lines.length - available + 1;
  const kept =
    lines.length > available ? [...lines.slice(0, available - 1), `… ${hidden} more`] : lines;
  return kept.map((line) => clipPainted(line, width));
}

/** The number of rows that lines use now. If the terminal became narrower, lines have wrapped. */
function rowsOf(lines: readonly string[], { width, height }: Screen): number {
  const rows = lines.map((line) => Math.max(1, Math.ceil(widthOf(line) / width)));
  return Math.min(
    rows.reduce((sum, count) => sum + count, 0),
    height - 1,
  );
}

const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((line, at) => line === b[at]);

export interface PausablePainter extends Painter {
  /**
   * Lets other code use the terminal until the returned function is called. Until then, nothing is
   * painted, and text for `above` is held back.
   */
  readonly pause: () => Promise<() => void>;
}

export function pausable(painter: Painter): PausablePainter {
  let paused: Promise<void> | undefined;
  return {
    paint: (lines) => (paused === undefined ? painter.paint(lines) : Promise.resolve()),
    above: async (text) => {
      await paused;
      await painter.above(text);
    },
    close: (lines) => painter.close(lines),
    async pause() {
      let go = (): void => undefined;
      paused = new Promise((resolve) => (go = resolve));
      await painter.close();
      return () => {
        paused = undefined;
        go();
      };
    },
  };
}
