import { endLink, interpret } from './interpret.ts';
import { goesOn, rowBytes, recycle, type Row, columns } from './row.ts';
import { isCalm, newScreen, type Above, type Screen } from './screen.ts';
import { createScrollback } from './scrollback.ts';
import type { Keep } from '../sequences.ts';
import { plain, styleAfter, transition, type Style } from '../style.ts';

/** The lines that a cursor may still reach, and the screen while it does. */
interface Terminal {
  /** True when nothing on the screen is unsettled: lines may pass by. */
  isCalm(): boolean;
  /** Settled lines, past the screen. */
  pass(lines: string): void;
  /** Whether the next line stands by itself, so that it may be shown past the screen. */
  isBare(): boolean;
  /** Such lines. */
  passShown(lines: string): void;
  /** One line, or a piece of an over long one, on the screen. */
  interpret(bytes: Buffer, start: number, end: number): void;
  /** What no cursor reaches any more. */
  take(): string;
  end(): string;
}

export function terminal(keep: Keep, height: number, show?: (lines: string) => string): Terminal {
  const isStyled = keep.colours === true || keep.links === true;
  const scrollback = createScrollback(height - 1, show);
  const above: Above = {
    push: (row) => push(row, goesOn(row) ? '' : '\n'),
    lift,
    count: () => (rowsAbove ??= Math.min(rowsOf(scrollback.last(), screen), height - 1)),
    seal,
  };
  const screen = newScreen({ height, isStyled, hasMarks: keep.marks === true, above });
  let isActive = false;
  /** Counted when it is asked for; undefined where lines have come or gone since. */
  let rowsAbove: number | undefined;
  /** The line that was interpreted last had its newline. */
  let isEnded = false;
  /** Rows that nothing is on: they are lines between others, but not before and behind them. */
  let blankRows = 0;
  let hasText = false;
  /** The style that the output has set by then. */
  let pen: Style = plain;

  return {
    isCalm: () => !isActive,
    pass,
    isBare: () => scrollback.isEnded() && transition(pen, screen.cellStyle.style) === '',
    passShown,
    interpret: interpretLine,
    take: () => scrollback.take(),
    end,
  };

  function pass(lines: string): void {
    rowsAbove = undefined;
    hasText = true;
    const isColoured = keep.colours === true;
    scrollback.add(isColoured ? transition(pen, screen.cellStyle.style) + lines : lines);
    if (isColoured) restyle(lines);
  }

  function passShown(lines: string): void {
    rowsAbove = undefined;
    hasText = true;
    scrollback.pass(lines);
    if (keep.colours === true) restyle(lines);
  }

  function restyle(lines: string): void {
    const { style, link } = screen.cellStyle;
    pen = styleAfter(style, lines);
    if (pen !== style) screen.cellStyle = { style: pen, link };
  }

  function interpretLine(bytes: Buffer, start: number, end: number): void {
    const wasCalm = !isActive || isCalm(screen);
    isActive = true;
    const hasMovedUp = interpretOn(screen, bytes, start, end);
    isEnded = bytes[end - 1] === 0x0a;
    if (isEnded) endLink(screen);
    // While lines are gone back to, they stay on the screen: to put them back there costs more.
    if (!isCalm(screen) || (height > 1 && (hasMovedUp || !wasCalm))) return;
    if (isNeeded(screen)) return;
    for (const row of screen.rows) above.push(row);
    reset();
  }

  function reset(): void {
    blankRows = 0;
    screen.rows = [];
    screen.y = 0;
    isActive = false;
  }

  function push(row: Row, end: string): void {
    rowsAbove = undefined;
    if (row.isVirtual) {
      blankRows += hasText ? 1 : 0;
      return;
    }
    const { bytes, pen: after } = rowBytes(row, pen, keep);
    pen = after;
    scrollback.add('\n'.repeat(blankRows) + bytes + end);
    recycle(row);
    blankRows = 0;
    hasText = true;
  }

  function seal(): void {
    rowsAbove = undefined;
    blankRows = 0;
    hasText = false;
    scrollback.seal();
  }

  function lift(count: number): Row[] {
    rowsAbove = undefined;
    const { lines, before } = scrollback.lift(count);
    if (lines === '') return [];
    pen = styleAfter(before.style, before.lines);
    return replay(lines, { screen, pen });
  }

  function end(): string {
    const last = screen.rows.findLastIndex(({ isVirtual }) => !isVirtual);
    for (const row of screen.rows.slice(0, Math.max(0, last))) above.push(row);
    // Where the cursor is above the last row, the log may end with a newline all the same.
    const row = screen.rows[last];
    if (row !== undefined) push(row, row.isEnded || isEnded ? '\n' : '');
    return scrollback.takeAll();
  }
}

/** Whether the cursor has gone up meanwhile. */
function interpretOn(screen: Screen, bytes: Buffer, start: number, end: number): boolean {
  screen.hasMovedUp = false;
  interpret(screen, bytes, start, end);
  return screen.hasMovedUp;
}

/** The rows say where on the terminal the cursor is, or one of them is to be gone back to. */
const isNeeded = ({ rows, saved }: Screen): boolean =>
  rows.some((row, at) => row === saved?.row || (row.isVirtual && at < rows.length - 1));

// Lines that have left the screen, as the rows that they were made from.

/** How many rows settled lines take. */
function rowsOf(lines: string, screen: Screen): number {
  const each = lines.split('\n').slice(0, -1);
  const isNarrow = each.every(({ length }) => length <= columns) && !lines.includes('\t');
  return isNarrow ? each.length : replay(lines, { screen, pen: plain }).length;
}

/** The rows that settled lines were made from. */
function replay(lines: string, now: { screen: Screen; pen: Style }): Row[] {
  const rows: Row[] = [];
  const above: Above = { ...nothing, push: (row) => void rows.push(row) };
  const screen = newScreen({ ...now.screen, height: 1, above });
  screen.cellStyle = { style: now.pen, link: '' };
  interpret(screen, Buffer.from(lines, 'latin1'));
  return rows;
}

const nothing = { lift: () => [], count: () => 0, seal: () => undefined };
