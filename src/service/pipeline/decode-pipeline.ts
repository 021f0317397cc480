/** Where a byte order mark says so, the text is UTF-16, as a public agent reads it. */
const marks = [
  [0xff, 0xfe, 'utf-16le'],
  [0xfe, 0xff, 'utf-16be'],
] as const;

/** The text of a pipeline file, a byte order mark included. Throws where it is not valid. */
export function decodePipeline(bytes: Uint8Array): string {
  const mark = marks.find(([first, second]) => bytes[0] === first && bytes[1] === second);
  return new TextDecoder(mark?.[2] ?? 'utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
}
