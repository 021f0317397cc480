/** Limits of bytes; whatever is cut is marked. Bytes are those of UTF-8. */

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
