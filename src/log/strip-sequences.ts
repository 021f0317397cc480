import { endOfHidden } from './hidden.ts';
import type { Keep } from './sequences.ts';
import { endOfStrippable, isKept } from './strippable.ts';
import { scanControls, type Controls } from './scan-controls.ts';

/** Lines that are settled, and where in the bytes the first line begins that is not. */
export interface Stripped {
  readonly lines: string;
  readonly end: number;
}

/**
 * Settles lines by taking sequences and hidden characters out, as long as that is all they need: up
 * to a line with other control characters, or with a sequence that moves the cursor or is not finished.
 */
export function stripper(keep: Keep): (bytes: Buffer, from: number) => Stripped {
  let scanned: Scanned | undefined;

  return (bytes, from) => {
    if (scanned?.bytes !== bytes) {
      scanned = { bytes, text: bytes.toString('latin1'), controls: scanControls(bytes) };
    }
    return strip(scanned, from, keep);
  };
}

interface Scanned {
  readonly bytes: Buffer;
  /** The same, a character a byte: V8 joins parts of it faster than bytes are copied. */
  readonly text: string;
  readonly controls: Controls;
}

function strip({ bytes, text, controls }: Scanned, from: number, keep: Keep): Stripped {
  let lines = '';
  /** What lies from here to `at` is to be copied. */
  let start = from;
  let at = controls.next(from);
  while (at < bytes.length) {
    const end = bytes[at] === escape ? endOfStrippable(bytes, at) : endOfDropped(bytes, at);
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
const newline = 0x0a;
const carriageReturn = 0x0d;

/** The end of what leaves nothing behind; -1 for any other control character. */
const endOfDropped = (bytes: Buffer, at: number): number =>
  bytes[at] === carriageReturn ? endOfReturns(bytes, at) : endOfHidden(bytes, at);

/** Where the newline is that one or two `\r` stand before; else -1. */
function endOfReturns(bytes: Buffer, at: number): number {
  const end = bytes[at + 1] === carriageReturn ? at + 2 : at + 1;
  return bytes[end] === newline ? end : -1;
}
