/** How much a report may hold. Bytes are those of text in UTF-8. */
export interface Limits {
  /** Lines of each log. */
  readonly lines: number;
  /** Failed jobs. */
  readonly maxJobs: number;
  /** Of a line of a log, of a name, of a message. */
  readonly maxLineBytes: number;
  /** Of the lines of one log, and of one annotation. */
  readonly maxJobBytes: number;
  /** Of all lines and annotations together. */
  readonly maxBytes: number;
}

export const defaultLimits: Limits = {
  lines: 50,
  maxJobs: 10,
  maxLineBytes: 4096,
  maxJobBytes: 65_536,
  maxBytes: 131_072,
};

/** Of jobs that merely followed or passed on a retry, and of annotations: enough to read. */
export const maxOthers = 100;

/**
 * How many bytes at the end of a log are read for its last lines: time marks and colours take more
 * than the text, and what hooks print after the command comes on top.
 */
export const tailBytes = ({ maxJobBytes }: Limits): number =>
  Math.min(Math.max(4 * maxJobBytes, 512 * 1024), 16 * 1024 * 1024);

// Limits of bytes; whatever is cut is marked. Bytes are those of UTF-8.

const mark = '… [truncated]';

export const byteLength = (text: string): number => Buffer.byteLength(text);

/**
 * The text, or the beginning of it with a mark, in at most `max` bytes. `isCut`: it is but the beginning of
 * another text.
 */
export function cutText(
  text: string,
  max: number,
  isCut = false,
): { text: string; truncated: boolean } {
  if (byteLength(text) + (isCut ? byteLength(mark) : 0) <= max)
    return { text: isCut ? text + mark : text, truncated: isCut };
  const available = max - byteLength(mark);
  return {
    text: available < 0 ? start(text, max) : start(text, available) + mark,
    truncated: true,
  };
}

/** No character is torn apart. */
function start(text: string, max: number): string {
  const bytes = Buffer.from(text.slice(0, max));
  let end = Math.min(max, bytes.length);
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  // A pair of surrogates may have been parted by the slice.
  return bytes.toString('utf8', 0, end).replace(/\ufffd$/, '');
}

/**
 * Shares `total` bytes out among entries of these sizes: none gets more than it needs, and what the
 * small ones leave goes to the large ones, so that one loud job cannot silence the others.
 */
export function fairShares(sizes: readonly number[], total: number): number[] {
  const shares = sizes.map(() => 0);
  const smallestFirst = [...sizes.entries()].sort(([, a], [, b]) => a - b);
  let left = total;
  for (const [position, [index, size]] of smallestFirst.entries()) {
    const share = Math.min(size, Math.floor(left / (sizes.length - position)));
    shares[index] = share;
    left -= share;
  }
  return shares;
}
