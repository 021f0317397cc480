/**
 * What is to be done with a raw line: nothing, as its text stands as it is but for colours and a mark;
 * to settle it; or to settle it together with those around it, because a cursor may leave it. In doubt, more.
 */
export type LineKind = 'plain' | 'single' | 'moving';

/** The kind of the line at these bytes, its newline left out. */
export function lineKind(bytes: Uint8Array, from: number, to: number): LineKind {
  let kind: LineKind = 'plain';
  let isStart = true;
  for (let at = from; at < to; at++) {
    const byte = bytes[at] as number;
    const special = specials[byte] as number;
    if (special === 0) isStart = false;
    else if (special === marker) {
      if (isStart && mayBeHeader(bytes, at)) kind = 'single';
      isStart = false;
    } else if (byte === escape) {
      const end = endOfPlain(bytes, at, to);
      if (end < 0 && !staysInLine(bytes, at + 1)) return 'moving';
      if (end < 0) kind = 'single';
      else at = end - 1;
    } else if (!isHarmless(bytes, at, to)) kind = 'single';
  }
  return kind;
}

const escape = 0x1b;
const marker = 2;
const specials = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte === 0x2d || byte === 0x2b || byte === 0x7e || byte === 0x5e) return marker;
  return (byte < 0x20 && byte !== 0x09) || byte === 0x7f || byte === 0xc2 ? 1 : 0;
});

/** `---` and the like, or with a sequence within. */
function mayBeHeader(bytes: Uint8Array, at: number): boolean {
  const next = bytes[at + 1];
  return next === bytes[at] || next === escape;
}

/** A return at the end of the line, and characters that are no controls. */
function isHarmless(bytes: Uint8Array, at: number, to: number): boolean {
  if (bytes[at] === 0xc2) return (bytes[at + 1] ?? 0) >= 0xa0;
  return bytes[at] === 0x0d && at === to - 1;
}

/** Where a colour or a mark ends; -1 where there is another sequence. */
function endOfPlain(bytes: Uint8Array, at: number, to: number): number {
  const isColour = bytes[at + 1] === 0x5b;
  if (!isColour && bytes[at + 1] !== 0x5f) return -1;
  let end = at + 2;
  while (end < to && (isColour ? isDigit(bytes[end] ?? 0) : (bytes[end] ?? 0) >= 0x20)) end++;
  return bytes[end] === (isColour ? 0x6d : 0x07) ? end + 1 : -1;
}

/** Digits, `:` and `;`. */
const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x3b;

/** Strings, what is erased in a line, and steps along it. */
function staysInLine(bytes: Uint8Array, at: number): boolean {
  if (bytes[at] !== 0x5b) return strings.has(bytes[at] ?? 0);
  let final = at + 1;
  while (isParameter(bytes[final] ?? 0)) final++;
  return inLine.has(bytes[final] ?? 0);
}

/** What comes between `ESC [` and the end of the sequence. */
const isParameter = (byte: number): boolean => byte >= 0x20 && byte < 0x40;

const codes = (characters: string): ReadonlySet<number> =>
  new Set(Array.from(characters, (character) => character.charCodeAt(0)));

/** What begins a string, and what closes it. */
const strings = codes('_]P^X\\');
const inLine = codes('mKGCDPX@`ab');
