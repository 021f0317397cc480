import { isAscii, isUtf8 } from 'node:buffer';
import { hiddenBytes } from '../common/untrusted-text.ts';
import { dropHiddenFromLines } from './hidden.ts';
import { createLineBuffer } from './line-buffer.ts';
import { screenRows } from './terminal/screen.ts';
import { terminal } from './terminal/terminal.ts';
import {
  type Keep,
  endOfReturns,
  endOfStrippable,
  isKept,
  scanBytes,
  strip,
  stripAll,
  type Stripped,
  type ScannedBytes,
} from './sequences.ts';
import { type Stage, chain } from './stage.ts';
import type { Timestamps } from './timestamps.ts';
import { oneMarkALine, usualLength, usualTimeOf } from './time-marks.ts';
import { standalone } from './style.ts';
import { lineEnd, startOfLast } from './text.ts';

/**
 * Settles a log: converts each line to what a terminal would show, and keeps only the sequences
 * selected by `keep`. Most lines only need their escape sequences removed. The other lines are
 * interpreted on a small screen; up to `rows` lines above it are buffered (1 for a log that grows).
 * With `times`, the lines that `push` returns have timestamps, but the lines that `end` returns do
 * not. With `closes`, the style is reset at the end.
 */
export function settle(
  keep: Keep = {},
  rows = screenRows,
  { times, closes = false }: SettleOptions = {},
): Stage<Uint8Array> {
  const blocks = createLineBuffer();
  const stripped = stripAll(keep);
  const scan = scanBytes();
  const screen = terminal(keep, rows, times && ((lines) => times.push(lines)));
  /** Never reset, because lines with hidden characters may stay on the screen for a while. */
  let hasHidden = false;
  const shown = (lines: string): string => (hasHidden ? dropHiddenFromLines(lines) : lines);

  return {
    push(chunk) {
      for (const block of blocks.push(chunk)) settleBlock(block);
      return shown(screen.take());
    },
    end() {
      settleBlock(blocks.end());
      return shown(screen.end()) + (closes ? screen.close() : '');
    },
  };

  function settleBlock(block: Buffer): void {
    const bytes = isUtf8(block) ? block : Buffer.from(block.toString());
    const isPlain = isAscii(bytes);
    if (times === undefined && !hasHidden && screen.isCalm()) {
      const lines = stripped(scan(bytes).text, isPlain);
      if (lines !== undefined) {
        if (lines !== '') screen.pass(lines);
        return;
      }
    }
    hasHidden ||= !isPlain && hiddenBytes.test(scan(bytes).text);
    for (let at = 0; at < bytes.length;) {
      if (screen.isCalm()) {
        const { lines, end } = stampAndStrip(bytes, at);
        if (lines !== '') screen.pass(lines);
        at = end;
      }
      if (at < bytes.length) at = interpretLine(bytes, at);
    }
  }

  /** A line bypasses the screen if only its escape sequences have to be removed. */
  function stampAndStrip(bytes: Buffer, from: number): Stripped {
    const scanned = scan(bytes);
    if (times?.ahead.isReady() !== true || !screen.isBare()) return strip(scanned, from, keep);
    const { stamp, passed } = times.ahead;
    const { stamped, stripped } = stampLines(scanned, from, { keep, rows: rows - 1, stamp });
    if (stamped.end > from) {
      screen.passShown(stamped.lines);
      passed(stamped.time);
    }
    return stripped;
  }

  function interpretLine(bytes: Buffer, start: number): number {
    const { text } = scan(bytes);
    const end = lineEnd(text, start);
    screen.interpret(bytes, start, end, text);
    return end;
  }
}

interface SettleOptions {
  readonly times?: Timestamps | undefined;
  readonly closes?: boolean;
}

/** Settled lines with colors, links and at most one mark each. */
export const linesWithMarks = (): Stage<Uint8Array> =>
  chain(settle({ marks: true, colours: true, links: true }), oneMarkALine());

/** Like `linesWithMarks`, but each line sets its own colors, as `pageLines` requires. */
export const standingLines = (): Stage<Uint8Array> => chain(linesWithMarks(), standalone());

interface StampOptions {
  readonly keep: Keep;
  /** Number of last lines that must not be passed on yet, because a cursor may move up to them */
  readonly rows: number;
  readonly stamp: (time: number) => string;
}

/**
 * Strips and timestamps lines until a line has a mark after its start. From there on, only strips.
 */
export function stampLines(
  scanned: ScannedBytes,
  from: number,
  options: StampOptions,
): { stamped: ReturnType<typeof stampUpTo>; stripped: Stripped } {
  const { keep, rows } = options;
  const stamped = stampUpTo(startOfLast(scanned.text, rows), scanned, from, options);
  const stripped = strip(scanned, stamped.end, keep);
  if (stripped.end === scanned.text.length) return { stamped, stripped };
  const limit = startOfLast(scanned.text.slice(0, stripped.end), rows);
  if (limit >= stamped.end) return { stamped, stripped };
  const sooner = stampUpTo(limit, scanned, from, options);
  return { stamped: sooner, stripped: strip(scanned, sooner.end, keep) };
}

/**
 * `end`: the offset of the first line without a timestamp; `time`: the time of the last timestamp.
 */
function stampUpTo(
  limit: number,
  scanned: ScannedBytes,
  from: number,
  { keep, stamp }: StampOptions,
) {
  const stamped = { lines: '', end: from, time: -1 };
  while (stamped.end < limit) {
    const time = usualTimeOf(scanned.bytes, stamped.end);
    const line = time < 0 ? undefined : restOfLine(scanned, stamped.end + usualLength, keep);
    if (line === undefined) break;
    stamped.lines += stamp(time);
    stamped.lines += line.text;
    stamped.end = line.end;
    stamped.time = time;
  }
  return stamped;
}

/** The text after the mark of a line; undefined if the line needs more than stripping. */
function restOfLine(
  { bytes, text, controls }: ScannedBytes,
  from: number,
  keep: Keep,
): { text: string; end: number } | undefined {
  let shown = '';
  let start = from;
  let at = controls.nextOrNewline(from);
  while (at < bytes.length && bytes[at] !== newline) {
    const end = bytes[at] === escape ? endOfStrippable(bytes, at) : endOfReturns(bytes, at);
    if (end < 0) return undefined;
    const kept = bytes[at] === escape && isKept(bytes, at, end, keep);
    if (kept && bytes[at + 1] === markIntroducer) return undefined;
    if (!kept) {
      if (at > start) shown += text.slice(start, at);
      start = end;
    }
    at = controls.nextOrNewline(end);
  }
  return at < bytes.length ? { text: shown + text.slice(start, at + 1), end: at + 1 } : undefined;
}

const escape = 0x1b;
const newline = 0x0a;
const markIntroducer = 0x5f;
