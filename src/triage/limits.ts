/** Limits of a report. Bytes are UTF-8 bytes. */
export interface Limits {
  /** Maximum number of lines per log */
  readonly lines: number;
  readonly maxCauses: number;
  readonly maxLineBytes: number;
  /** Maximum bytes for the lines of a log, and for an annotation */
  readonly maxJobBytes: number;
  readonly maxBytes: number;
}

export const defaultLimits: Limits = {
  lines: 50,
  maxCauses: 20,
  maxLineBytes: 4096,
  maxJobBytes: 65_536,
  maxBytes: 131_072,
};

/** Maximum number of jobs that did not run, of recovered jobs, and of annotations in a report. */
export const maxOthers = 100;

/** Maximum number of lines of a failure whose cause has an excerpt of another job. */
export const briefLines = 3;

/** How many bytes to read if many jobs failed, to find out which of them have the same cause. */
export const briefBytes = 64 * 1024;

/** How many bytes to read. Marks and colors add to the text, and hooks may print more lines. */
export const tailBytes = ({ maxJobBytes }: Limits): number =>
  Math.min(Math.max(4 * maxJobBytes, 512 * 1024), 16 * 1024 * 1024);

export const byteLength = (text: string): number => Buffer.byteLength(text);

const mark = '… [truncated]';

/** If `isCut` is set, the text has already been truncated, so the marker is always added. */
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

export const boundedText = (text: string | null | undefined, max: number): string | null =>
  text ? cutText(text, max).text : null;

/** Never splits a character. */
function start(text: string, max: number): string {
  const bytes = Buffer.from(text.slice(0, max));
  let end = Math.min(max, bytes.length);
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  // The slice may have split a surrogate pair.
  return bytes.toString('utf8', 0, end).replace(/\ufffd$/, '');
}

/** No entry gets more than it needs. Large entries share the space that small entries leave. */
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
