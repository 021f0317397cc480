import { isAscii } from 'node:buffer';

/**
 * Characters that nobody sees and that turn the reading direction or part a line: U+061C, U+200E,
 * U+200F, U+202A to U+202E, U+2066 to U+2069, and U+2028, U+2029. They are left out of a log
 * wherever it is shown, as control characters are, so that a line reads in the order of its text.
 */
export const isHidden = (code: number): boolean =>
  (code >= 0x2028 && code <= 0x202e) ||
  (code >= 0x2066 && code <= 0x2069) ||
  code === 0x200e ||
  code === 0x200f ||
  code === 0x061c;

/** All of them, for text outside of the stages. */
export const hidden = /[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Where in UTF-8 the one at `at` ends; -1 where there is none. */
export function endOfHidden(bytes: Uint8Array, at: number): number {
  const first = bytes[at];
  if (first === 0xd8) return bytes[at + 1] === 0x9c ? at + 2 : -1;
  if (first !== 0xe2) return -1;
  const second = bytes[at + 1];
  if (second !== 0x80 && second !== 0x81) return -1;
  const last = bytes[at + 2] ?? 0;
  const code = 0x2000 | ((second & 0x3f) << 6) | (last & 0x3f);
  return (last & 0xc0) === 0x80 && isHidden(code) ? at + 3 : -1;
}

/** Whether there is any: few logs have them, but many have quotes, which begin with the same bytes. */
export function holdsHidden(bytes: Buffer): boolean {
  if (isAscii(bytes)) return false;
  if (bytes.includes(arabicLetterMark)) return true;
  if (!beginnings.some((beginning) => bytes.includes(beginning))) return false;
  return hiddenBytes.test(bytes.toString('latin1'));
}

/** All but that of Arabic, as they are in UTF-8. */
const hiddenBytes = /\xe2(?:\x80[\x8e\x8f\xa8-\xae]|\x81[\xa6-\xa9])/;

const arabicLetterMark = Buffer.from('\u061c');
/** Of all others. */
const beginnings = [
  [0xe2, 0x80],
  [0xe2, 0x81],
].map((bytes) => Buffer.from(bytes));
