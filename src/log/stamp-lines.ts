import type { ScannedBytes } from './scan-bytes.ts';
import type { Keep } from './sequences.ts';
import { strip, type Stripped } from './strip-sequences.ts';
import { endOfReturns, endOfStrippable, isKept } from './strippable.ts';
import { startOfLast } from './text.ts';
import { usualLength, usualTimeOf } from './time-marks.ts';

export interface StampOptions {
  readonly keep: Keep;
  /** So many lines are left as they are: a cursor may go back to them. */
  readonly rows: number;
  readonly stamp: (time: number) => string;
}

export interface Stamped {
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
