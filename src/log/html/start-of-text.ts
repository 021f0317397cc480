/** What stands before the text of a settled line, read from its bytes. */
export interface LineStart {
  /** From its mark. */
  readonly time: number | undefined;
  /** Where its text begins, or a sequence of it. */
  readonly text: number;
  /** Whether its first character is that of a header: nearly no line is one. */
  readonly mayBeMarker: boolean;
}

/** Reads it where the marks are in the one form of `oneMarkALine`. */
export function startOfText(bytes: Uint8Array, at: number): LineStart {
  if (bytes[at] !== escape || bytes[at + 1] !== underscore)
    return { time: undefined, text: at, mayBeMarker: isMarker(bytes, at) };
  const text = bytes.indexOf(bell, at) + 1;
  return {
    time: timeOf(bytes, at + beforeTime, text - 1),
    text,
    mayBeMarker: isMarker(bytes, text),
  };
}

const escape = 0x1b;
const underscore = 0x5f;
const bell = 0x07;
/** `ESC _ bk;t=`. */
const beforeTime = 7;

function timeOf(bytes: Uint8Array, from: number, to: number): number {
  let time = 0;
  for (let at = from; at < to; at++) time = time * 10 + (bytes[at] as number) - 0x30;
  return time;
}

/** `-`, `~`, `+` or `^`, behind any sequences. */
function isMarker(bytes: Uint8Array, start: number): boolean {
  let at = start;
  while (bytes[at] === escape) at = endOfSequence(bytes, at);
  const first = bytes[at];
  return first === 0x2d || first === 0x7e || first === 0x2b || first === 0x5e;
}

/** Of colours or a link: the only sequences that a settled line has. */
function endOfSequence(bytes: Uint8Array, at: number): number {
  const isColour = bytes[at + 1] === 0x5b;
  let end = at + 2;
  while (end < bytes.length && !(isColour ? bytes[end] === 0x6d : isStringEnd(bytes, end))) end++;
  return end + 1;
}

const isStringEnd = (bytes: Uint8Array, at: number): boolean =>
  bytes[at] === bell || (bytes[at] === 0x5c && bytes[at - 1] === escape);
