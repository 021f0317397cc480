/** Whether a cursor may leave the line at these raw bytes, by what is in it: in doubt, it may. */
export function mayMoveUp(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) {
    if (bytes[at] === escape && !isHarmless(bytes, at + 1)) return true;
  }
  return false;
}

const escape = 0x1b;
const bracket = 0x5b;

function isHarmless(bytes: Uint8Array, at: number): boolean {
  if (bytes[at] !== bracket) return strings.has(bytes[at] ?? 0);
  let final = at + 1;
  while (isParameter(bytes[final] ?? 0)) final++;
  return stayInLine.has(bytes[final] ?? 0);
}

/** What comes between `ESC [` and the end of the sequence. */
const isParameter = (byte: number): boolean => byte >= 0x20 && byte < 0x40;

const codes = (characters: string): ReadonlySet<number> =>
  new Set(Array.from(characters, (character) => character.charCodeAt(0)));

/** What begins a string, and what closes it. */
const strings = codes('_]P^X\\');
/** Colours, what is erased in a line, and steps along it. */
const stayInLine = codes('mKGCDPX@`ab');
