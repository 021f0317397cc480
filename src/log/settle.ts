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
  type Stripped,
  type ScannedBytes,
} from './sequences.ts';
import { type Stage, chain } from './stage.ts';
import type { Timestamps } from './timestamps.ts';
import { oneMarkALine, usualLength, usualTimeOf } from './time-marks.ts';
import { standalone } from './style.ts';
import { startOfLast } from './text.ts';

/**
 * Settles a log: every line as a terminal would leave it, in valid UTF-8, with no control character
 * but tab and newline, no hidden character out of place, and no sequence but those of `keep`. Colours keep their sequences where
 * nothing overwrote them.
 *
 * Most lines need nothing but some sequences taken out. The others are interpreted on a small screen, and so
 * are those above them that the cursor goes back to: up to `rows`, with the line it is on. So many
 * lines are buffered; for a log that is read while it grows 1 is the number.
 *
 * With `times`, what is pushed comes with them; what is left at the end does not.
 */
export function settle(keep: Keep = {}, rows = screenRows, times?: Timestamps): Stage<Uint8Array> {
  const blocks = createLineBuffer();
  const scan = scanBytes();
  const screen = terminal(keep, rows, times && ((lines) => times.push(lines)));
  /** Lines wait on the screen, so this stays true once a hidden character was read. */
  let hasHidden = false;
  const shown = (lines: string): string => (hasHidden ? dropHiddenFromLines(lines) : lines);

  return {
    push(chunk) {
      for (const block of blocks.push(chunk)) settleBlock(block);
      return shown(screen.take());
    },
    end() {
      settleBlock(blocks.end());
      return shown(screen.end());
    },
  };

  function settleBlock(block: Buffer): void {
    const bytes = isUtf8(block) ? block : Buffer.from(block.toString());
    hasHidden ||= !isAscii(bytes) && hiddenBytes.test(scan(bytes).text);
    for (let at = 0; at < bytes.length;) {
      if (screen.isCalm()) {
        const { lines, end } = stampAndStrip(bytes, at);
        if (lines !== '') screen.pass(lines);
        at = end;
      }
      if (at < bytes.length) at = interpretLine(bytes, at);
    }
  }

  /** Lines that need no other look go past the screen. */
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
    const newline = bytes.indexOf(0x0a, start);
    const end = newline < 0 ? bytes.length : newline + 1;
    screen.interpret(bytes, start, end);
    return end;
  }
}

/**
 * Settled lines with links, each with its own colours and at most one mark, so that a log can be
 * parted between any two of them. They are what `html/page-lines.ts` takes.
 */
export const standingLines = (): Stage<Uint8Array> =>
  chain(settle({ marks: true, colours: true, links: true }), oneMarkALine(), standalone());

interface StampOptions {
  readonly keep: Keep;
  /** So many lines are left as they are: a cursor may go back to them. */
  readonly rows: number;
  readonly stamp: (time: number) => string;
}

interface Stamped {
  readonly lines: string;
  /** Where in the bytes the first line begins that is none of them. */
  readonly end: number;
  /** That of the last of them. */
  readonly time: number;
}

/**
 * Settles lines and puts their times before them, both at once, as long as each line has its mark at
 * its beginning and no other, and needs nothing but sequences taken out; strips the lines that follow.
 */
export function stampLines(
  scanned: ScannedBytes,
  from: number,
  options: StampOptions,
): { stamped: Stamped; stripped: Stripped } {
  const { keep, rows } = options;
  const stamped = upTo(startOfLast(scanned.text, rows), scanned, from, options);
  const stripped = strip(scanned, stamped.end, keep);
  if (stripped.end === scanned.text.length) return { stamped, stripped };
  // There another line follows, maybe one that goes back up.
  const limit = startOfLast(scanned.text.slice(0, stripped.end), rows);
  if (limit >= stamped.end) return { stamped, stripped };
  const sooner = upTo(limit, scanned, from, options);
  return { stamped: sooner, stripped: strip(scanned, sooner.end, keep) };
}

function upTo(limit: number, scanned: ScannedBytes, from: number, options: StampOptions): Stamped {
  const { keep, stamp } = options;
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

/** What is behind the mark of a line; undefined where more is to be done than to take sequences out. */
function restOfLine(
  { bytes, text, controls }: ScannedBytes,
  from: number,
  keep: Keep,
): { text: string; end: number } | undefined {
  let shown = '';
  /** What lies from here to `at` is to be copied. */
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
