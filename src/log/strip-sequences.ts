import type { ScannedBytes } from './scan-bytes.ts';
import type { Keep } from './sequences.ts';
import { endOfReturns, endOfStrippable, isKept } from './strippable.ts';

/** Lines that are settled, and where in the bytes the first line begins that is not. */
export interface Stripped {
  readonly lines: string;
  readonly end: number;
}

/**
 * Settles lines by taking sequences out, as long as that is all they need: up to a line with other
 * control characters, or with a sequence that moves the cursor or is not finished.
 */
export function strip(scanned: ScannedBytes, from: number, keep: Keep): Stripped {
  const { bytes, text, controls } = scanned;
  let lines = '';
  /** What lies from here to `at` is to be copied. */
  let start = from;
  let at = controls.next(from);
  while (at < bytes.length) {
    const end = bytes[at] === escape ? endOfStrippable(bytes, at) : endOfReturns(bytes, at);
    if (end < 0) break;
    if (bytes[at] !== escape || !isKept(bytes, at, end, keep)) {
      if (at > start) lines += text.slice(start, at);
      start = end;
    }
    at = controls.next(end);
  }
  if (at >= bytes.length) return { lines: lines + text.slice(start), end: at };
  // What is settled before the line that is not.
  const end = at === from ? from : Math.max(from, text.lastIndexOf('\n', at - 1) + 1);
  if (end >= start) return { lines: lines + text.slice(start, end), end };
  return { lines: lines.slice(0, lines.lastIndexOf('\n') + 1), end };
}

const escape = 0x1b;
