/** A range begins anywhere: in the middle of a line, of a character, of an escape sequence. */
export function withoutTornLine(bytes: Uint8Array): Uint8Array {
  const newline = bytes.indexOf(0x0a);
  return newline < 0 || newline === bytes.length - 1 ? bytes : bytes.subarray(newline + 1);
}
