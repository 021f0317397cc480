import { visible } from '../../../log/sections.ts';
import { toBytes } from '../../../log/text.ts';
import { byteLength, fairShares } from '../../../triage/limits.ts';

/** The last lines of several logs, within a shared limit in bytes. */
export interface LogTails {
  add(at: number, lines: string): void;
  /** The number of bytes that are left for another log. */
  room(): number;
  /** The lines that were kept from a log. */
  linesOf(at: number): string;
  isCut(at: number): boolean;
}

/** `total` is the limit in bytes. The buffers may grow to twice that size. */
export function logTails(total: number): LogTails {
  const tails = new Map<number, Tail>();
  let size = 0;

  return {
    add(at, lines) {
      const bytes = Buffer.from(lines, 'latin1');
      tails.set(at, { bytes, isCut: false });
      size += bytes.length;
      if (size > 2 * total) cutAll();
    },
    room: () => fairShares([...sizes(), Infinity], total).at(-1) ?? 0,
    linesOf: (at) => settled(at)?.bytes.toString('latin1') ?? '',
    isCut: (at) => settled(at)?.isCut ?? false,
  };

  function sizes(): number[] {
    return [...tails.values()].map(({ bytes }) => bytes.length);
  }

  function settled(at: number): Tail | undefined {
    if (size > total) cutAll();
    return tails.get(at);
  }

  function cutAll(): void {
    const shares = fairShares(sizes(), total);
    size = 0;
    [...tails].forEach(([at, tail], index) => {
      const cut = cutTail(tail, shares[index] ?? 0);
      size += cut.bytes.length;
      tails.set(at, cut);
    });
  }
}

interface Tail {
  readonly bytes: Buffer;
  readonly isCut: boolean;
}

/** Copies, since a slice would keep the whole buffer in memory. */
function cutTail(tail: Tail, most: number): Tail {
  if (tail.bytes.length <= most) return tail;
  const lines = lastLines(tail.bytes.toString('latin1'), most);
  return { bytes: Buffer.from(lines, 'latin1'), isCut: true };
}

/**
 * Returns the last lines of a byte string, at most `most` bytes. If even the last line is too long,
 * returns the end of its text without colors.
 */
export function lastLines(lines: string, most: number): string {
  if (lines.length <= most) return lines;
  if (most <= 0) return '';
  const start = lines.indexOf('\n', lines.length - most - 1) + 1;
  if (start > 0 && start < lines.length) return lines.slice(start);
  const text = visible(lines.slice(lines.lastIndexOf('\n', lines.length - 2) + 1));
  return toBytes(lastCharacters(text, most - 1)) + '\n';
}

/** Never splits a surrogate pair. */
function lastCharacters(text: string, most: number): string {
  let end = text.slice(Math.max(0, text.length - most));
  while (byteLength(end) > most) end = end.slice(Math.ceil((byteLength(end) - most) / 4));
  return end.replace(/^[\udc00-\udfff]/, '');
}
