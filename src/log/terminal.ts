import { createScrollback } from './scrollback.ts';
import { endLink, interpret } from './interpret.ts';
import { rowBytes, type Row } from './row.ts';
import { isCalm, newScreen, type Screen } from './screen.ts';
import type { Keep } from './sequences.ts';
import { plain, styleAfter, transition, type Style } from './style.ts';
import { toText } from './text.ts';

/** The lines that a cursor may still reach, and the screen while it does. */
export interface Terminal {
  /** True when nothing on the screen is unsettled: lines may pass by. */
  isCalm(): boolean;
  /** Settled lines, past the screen. */
  pass(lines: string): void;
  /** One line, or a piece of an over long one, on the screen. */
  interpret(line: string): void;
  /** What no cursor reaches any more. */
  take(): string;
  end(): string;
}

/** A wider row is let go before its line ends. */
const widestRow = 64 * 1024;

export function terminal(keep: Keep, height: number): Terminal {
  const scrollback = createScrollback(height - 1);
  let screen: Screen | undefined;
  /** The style in force where the log is, and the one that the output has set by then. */
  let style: Style = plain;
  let pen: Style = plain;

  return {
    isCalm: () => screen === undefined,
    pass(lines) {
      if (keep.colours !== true) {
        scrollback.add(lines);
        return;
      }
      scrollback.add(transition(pen, style) + lines);
      style = pen = styleAfter(style, lines);
    },
    interpret(line) {
      screen ??= newScreen({ style, link: '' });
      interpret(screen, toText(line), (count) => lift(count));
      afterLine(screen, line.endsWith('\n'));
    },
    take: () => scrollback.take(),
    end() {
      if (screen !== undefined) flushRows(screen.rows, '');
      return scrollback.takeAll();
    },
  };

  function afterLine(current: Screen, ended: boolean): void {
    if (ended) endLink(current);
    scroll(current);
    style = current.cellStyle.style;
    if (isCalm(current)) close(current.rows.slice(0, -1), '\n');
    else if (!ended && (current.rows[current.y]?.cells.length ?? 0) > widestRow)
      close(current.rows, '');
  }

  function close(rows: readonly Row[], last: string): void {
    flushRows(rows, last);
    screen = undefined;
  }

  function scroll(current: Screen): void {
    const over = current.rows.splice(0, Math.max(0, current.rows.length - height));
    if (over.length === 0) return;
    current.y = Math.max(0, current.y - over.length);
    flushRows(over, '\n');
  }

  /** Rows become lines; `last` ends the last of them. */
  function flushRows(rows: readonly Row[], last: string): void {
    let text = '';
    rows.forEach((row, index) => {
      text += rowBytes(row, pen, keep) + (index < rows.length - 1 ? '\n' : last);
      pen = plain;
    });
    scrollback.add(text);
  }

  function lift(count: number): void {
    if (screen === undefined) return;
    const { lines, before } = scrollback.lift(Math.min(count, height - screen.rows.length));
    if (lines === '') return;
    const replay = newScreen({ style: styleAfter(before.style, before.lines), link: '' });
    pen = replay.cellStyle.style;
    interpret(replay, toText(lines), () => undefined);
    const rows = replay.rows.slice(0, -1);
    screen.rows.unshift(...rows);
    screen.y += rows.length;
    screen.saved = { ...screen.saved, y: screen.saved.y + rows.length };
  }
}
