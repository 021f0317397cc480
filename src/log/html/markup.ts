/** Markup as bytes, in a buffer that grows: a log is read and written byte by byte. */
export interface Markup {
  bytes: Uint8Array;
  length: number;
}

/** `room` in bytes. */
export const newMarkup = (room = 64 * 1024): Markup => ({
  bytes: new Uint8Array(room),
  length: 0,
});

/** Makes sure that `count` bytes more can be written. */
export function reserve(markup: Markup, count: number): void {
  const least = markup.length + count;
  if (least <= markup.bytes.length) return;
  const bytes = new Uint8Array(Math.max(least, markup.bytes.length * 2));
  bytes.set(markup.bytes.subarray(0, markup.length));
  markup.bytes = bytes;
}

/** Adds bytes for which there is room: pieces are short, for which a loop is fastest. */
export function put(markup: Markup, piece: Uint8Array): void {
  const { bytes } = markup;
  let to = markup.length;
  for (let at = 0; at < piece.length; at++) bytes[to++] = piece[at] as number;
  markup.length = to;
}

/** Takes all that was written out, as a byte string. */
export function take(markup: Markup): string {
  const { buffer } = markup.bytes;
  const text = Buffer.from(buffer, 0, markup.length).toString('latin1');
  markup.length = 0;
  return text;
}

/** Of a text without characters beyond ASCII, or of a byte string. */
export const asciiBytes = (text: string): Uint8Array =>
  Uint8Array.from(Buffer.from(text, 'latin1'));
