import { endLink, interpret } from './interpret.ts';
import { goesOn, rowBytes, recycle, type Row, columns } from './row.ts';
import { isCalm, newScreen, type Above, type Screen } from './screen.ts';
import type { Keep } from '../sequences.ts';
import { plain, styleAfter, transition, type Style } from '../style.ts';
import { longestLine } from '../line-buffer.ts';
import { startOfLast } from '../text.ts';

/** Interprets lines on a screen, and keeps the lines above it that the cursor can still reach. */
export function terminal(keep: Keep, height: number, show?: (lines: string) => string) {
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
  let rowsAbove: number | undefined;
  let isEnded = false;
  /** Number of virtual rows. They only become blank lines if they are between other lines. */
  let blankRows = 0;
  let hasText = false;
  let pen: Style = plain;

  return {
    /** True if the screen has nothing pending, so that lines may bypass it. */
    isCalm: (): boolean => !isActive,
    pass,
    /** Whether the next line may go to `passShown`. */
    isBare: (): boolean => scrollback.isEnded() && transition(pen, screen.cellStyle.style) === '',
    passShown,
    interpret: interpretLine,
    /** Removes and returns the lines that the cursor can no longer reach. */
    take: (): string => scrollback.take(),
    end,
    /** The sequence that resets the style after `end`. */
    close: (): string => transition(pen, plain),
  };

  function pass(lines: string): void {
    rowsAbove = undefined;
    hasText = true;
    const isColoured = keep.colours === true;
    scrollback.add(isColoured ? transition(pen, screen.cellStyle.style) + lines : lines, pen);
    if (isColoured) restyle(lines);
  }

  /** Adds settled lines that `show` has already processed. */
  function passShown(lines: string): void {
    rowsAbove = undefined;
    hasText = true;
    if (keep.colours === true) restyle(lines);
    scrollback.pass(lines, pen);
  }

  function restyle(lines: string): void {
    const { style, link } = screen.cellStyle;
    pen = styleAfter(style, lines);
    if (pen !== style) screen.cellStyle = { style: pen, link };
  }

  function interpretLine(
    bytes: Buffer,
    start: number,
    end: number,
    text = bytes.toString('latin1'),
  ): void {
    const wasCalm = !isActive || isCalm(screen);
    isActive = true;
    interpret(screen, { bytes, text }, start, end);
    const { hasMovedUp } = screen;
    screen.hasMovedUp = false;
    isEnded = bytes[end - 1] === 0x0a;
    if (isEnded) endLink(screen);
    // Restoring lines is slow, so they stay on the screen while the cursor keeps moving up.
    if (!isCalm(screen) || (height > 1 && (hasMovedUp || !wasCalm))) return;
    if (isNeeded(screen)) return;
    for (const row of screen.rows) above.push(row);
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
    scrollback.add('\n'.repeat(blankRows) + bytes + end, pen);
    pen = after;
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
    return replay(lines, screen, pen);
  }

  function end(): string {
    const last = screen.rows.findLastIndex(({ isVirtual }) => !isVirtual);
    for (const row of screen.rows.slice(0, Math.max(0, last))) above.push(row);
    // A log may end with a newline even if the cursor is above the last row.
    const row = screen.rows[last];
    if (row !== undefined) push(row, row.isEnded || isEnded ? '\n' : '');
    return scrollback.takeAll();
  }
}

const isNeeded = ({ rows, saved }: Screen): boolean =>
  rows.some((row, at) => row === saved?.row || (row.isVirtual && at < rows.length - 1));

function rowsOf(lines: string, screen: Screen): number {
  const each = lines.split('\n').slice(0, -1);
  const isNarrow = each.every(({ length }) => length <= columns) && !lines.includes('\t');
  return isNarrow ? each.length : replay(lines, screen, plain).length;
}

function replay(lines: string, now: Screen, style: Style): Row[] {
  const rows: Row[] = [];
  const above: Above = {
    push: (row) => void rows.push(row),
    ...{ lift: () => [], count: () => 0, seal: () => undefined },
  };
  const screen = newScreen({ ...now, height: 1, above });
  screen.cellStyle = { style, link: '' };
  interpret(screen, { bytes: Buffer.from(lines, 'latin1'), text: lines }, 0, lines.length);
  return rows;
}

/** In bytes. Below this size, lines are not counted, so more lines than necessary may be kept. */
const enough = 16 * 1024;

/** Keeps the last settled lines, because the cursor may still move up to them. */
export function createScrollback(count: number, show = (lines: string): string => lines) {
  let shown = '';
  let out = '';
  let lines = '';
  /** The style before `evicted`, the last of the evicted lines. It is only determined if needed. */
  let style: Style = plain;
  let evicted = '';
  let unended = 0;
  let bound = enough;

  return { add, pass, isEnded: (): boolean => unended === 0, take, takeAll, lift, last, seal };

  /** `before`: the style before `text`, if it is known. */
  function add(text: string, before?: Style): void {
    const cut = Math.max(startOfLast(text, count), endOfOverlong(text));
    // The new lines alone are usually enough, so they need not be appended to the old lines.
    if (cut > 0) {
      evict(lines.length);
      if (before !== undefined) [style, evicted] = [before, ''];
    }
    lines += text;
    if (cut > 0) evict(cut);
    unended = lengthOfLast(text);
    if (unended > longestLine) evict(lines.length);
    else if (lines.length > bound) cutBack();
  }

  /** Limits the kept lines, because each upward move slices all of them. */
  function cutBack(): void {
    evict(startOfLast(lines, count));
    bound = Math.max(enough, 2 * lines.length);
  }

  /** Adds lines that `show` has processed. The cursor cannot return to them or to earlier lines. */
  function pass(text: string, after: Style): void {
    evict(lines.length);
    [style, evicted] = [after, ''];
    shown += showOut() + text;
  }

  function showOut(): string {
    const text = show(out);
    out = '';
    return text;
  }

  /** The end of an overlong line that arrived in chunks. The cursor cannot return to the line. */
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

  /** Removes the last lines and returns them with the data that determines their initial style. */
  function lift(wanted: number) {
    const cut = unended === 0 ? startOfLast(lines, Math.min(wanted, count)) : lines.length;
    const lifted = lines.slice(cut);
    lines = lines.slice(0, cut);
    return { lines: lifted, before: { style: styleAfter(style, evicted), lines } };
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
    style = styleAfter(style, evicted);
    evicted = lines.slice(0, end);
    out += evicted;
    lines = lines.slice(end);
  }
}
