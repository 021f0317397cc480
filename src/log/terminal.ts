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

/** A wider row is passed on before its line ends. */
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
    flushRows(takeOverflow(current, height), '\n');
    style = current.cellStyle.style;
    if (isCalm(current)) flushRows(current.rows.slice(0, -1), '\n');
    else if (!ended && isOverlong(current)) flushRows(current.rows, '');
    else return;
    screen = undefined;
  }

  /** Rows become lines; `last` ends the last of them. */
  function flushRows(rows: readonly Row[], last: string): void {
    if (rows.length === 0) return;
    scrollback.add(rowLines(rows, pen, keep) + last);
    pen = plain;
  }

  function lift(count: number): void {
    if (screen === undefined) return;
    const { lines, before } = scrollback.lift(Math.min(count, height - screen.rows.length));
    if (lines === '') return;
    pen = styleAfter(before.style, before.lines);
    putAbove(screen, replay(lines, pen));
  }
}

/** The rows that have gone by at the top. */
function takeOverflow(screen: Screen, height: number): Row[] {
  const rows = screen.rows.splice(0, Math.max(0, screen.rows.length - height));
  screen.y = Math.max(0, screen.y - rows.length);
  return rows;
}

const isOverlong = ({ rows, y }: Screen): boolean => (rows[y]?.cells.length ?? 0) > widestRow;

function putAbove(screen: Screen, rows: readonly Row[]): void {
  screen.rows.unshift(...rows);
  screen.y += rows.length;
  screen.saved = { ...screen.saved, y: screen.saved.y + rows.length };
}

/** The lines of rows, but for the newline of the last; no row leaves a style to the next. */
const rowLines = (rows: readonly Row[], pen: Style, keep: Keep): string =>
  rows.map((row, index) => rowBytes(row, index === 0 ? pen : plain, keep)).join('\n');

/** The rows that settled lines were made from. */
function replay(lines: string, style: Style): Row[] {
  const screen = newScreen({ style, link: '' });
  interpret(screen, toText(lines), () => undefined);
  return screen.rows.slice(0, -1);
}
