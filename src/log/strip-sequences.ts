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
  let out = Buffer.alloc(0);
  let scanned: { readonly bytes: Buffer; readonly controls: Controls } | undefined;

  return (bytes, from) => {
    if (scanned?.bytes !== bytes) scanned = { bytes, controls: scanControls(bytes) };
    if (out.length < bytes.length) out = Buffer.allocUnsafeSlow(bytes.length);
    return strip(bytes, from, scanned.controls);
  };

  function strip(bytes: Buffer, from: number, controls: Controls): Stripped {
    let length = 0;
    /** What lies from here to `at` is to be copied. */
    let start = from;
    let at = controls.next(from);
    while (at < bytes.length) {
      const end = bytes[at] === escape ? endOfStrippable(bytes, at) : endOfDropped(bytes, at);
      if (end < 0) break;
      if (bytes[at] !== escape || !isKept(bytes, at, end, keep)) {
        length = copy(bytes, start, at, length);
        start = end;
      }
      at = controls.next(end);
    }
    if (at < bytes.length) return beforeLine(bytes, from, start, at, length);
    if (start === from) return { lines: bytes.toString('latin1', from), end: at };
    return { lines: out.toString('latin1', 0, copy(bytes, start, at, length)), end: at };
  }

  /** What is settled before the line with the byte at `at`. */
  function beforeLine(
    bytes: Buffer,
    from: number,
    start: number,
    at: number,
    length: number,
  ): Stripped {
    const end = at === from ? from : Math.max(from, bytes.lastIndexOf(newline, at - 1) + 1);
    const settled = end >= start ? copy(bytes, start, end, length) : lineStart(out, length);
    return { lines: out.toString('latin1', 0, settled), end };
  }

  /** Native copying pays for longer spans alone. */
  function copy(bytes: Buffer, start: number, end: number, to: number): number {
    if (end - start >= 32) bytes.copy(out, to, start, end);
    else for (let at = start; at < end; at++) out[to + at - start] = bytes[at] as number;
    return to + end - start;
  }
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

const lineStart = (bytes: Buffer, length: number): number =>
  length === 0 ? 0 : bytes.lastIndexOf(newline, length - 1) + 1;
