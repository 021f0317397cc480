/** Where control characters stand, found four bytes at a time. */

const tab = 0x09;
const newline = 0x0a;
const carriageReturn = 0x0d;
const escape = 0x1b;
const bell = 0x07;

/**
 * The next byte at or after `from` that makes its line one to be settled: any byte below a space
 * but tab, newline, one or two `\r` before a newline, and what sequences begin and end with.
 * -1 when there is none.
 */
export function nextControl(bytes: Buffer, from: number): number {
  const { buffer, byteOffset, length } = bytes;
  const aligned = Math.min(length, from + (-(byteOffset + from) & 3));
  const head = firstIn(bytes, from, aligned);
  if (head >= 0) return head;
  const words = new Int32Array(buffer, byteOffset + aligned, (length - aligned) >> 2);
  for (let word = 0; word < words.length; word++) {
    const four = words[word] as number;
    // A byte below 0x20 borrows from its top bit; bytes above 0x7f had that bit before.
    const below = (four - 0x20202020) & ~four & 0x80808080;
    if (
      below === 0 ||
      ((below & (below - 1)) === 0 && isHarmless[(four >>> (24 - Math.clz32(below))) & 0xff] === 1)
    )
      continue;
    const start = aligned + word * 4;
    const found = firstIn(bytes, start, start + 4);
    if (found >= 0) return found;
  }
  return firstIn(bytes, aligned + words.length * 4, length);
}

function firstIn(bytes: Buffer, from: number, to: number): number {
  for (let at = from; at < to; at++) {
    const byte = bytes[at] as number;
    if (isHarmless[byte] === 0 && !isLineEnd(bytes, at)) return at;
  }
  return -1;
}

const isHarmless = new Uint8Array(256).fill(1, 0x20);
for (const byte of [tab, newline, escape, bell]) isHarmless[byte] = 1;

function isLineEnd(bytes: Buffer, at: number): boolean {
  if (bytes[at] !== carriageReturn) return false;
  const next = bytes[at + 1];
  return next === newline || (next === carriageReturn && bytes[at + 2] === newline);
}
