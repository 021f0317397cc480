/** Byte strings (one character a byte) to text and back, and their lines. */

const beyondAscii = /[\x80-\xff]/;

/** The UTF-8 text that the bytes stand for. */
export const toText = (bytes: string): string =>
  beyondAscii.test(bytes) ? Buffer.from(bytes, 'latin1').toString('utf8') : bytes;

/** The UTF-8 bytes of a text. */
export const toBytes = (text: string): string =>
  /[^\x00-\x7f]/.test(text) ? Buffer.from(text, 'utf8').toString('latin1') : text;

/** Each line with its newline; the last one may lack it. */
export function* eachLine(lines: string): Generator<string, void, undefined> {
  let start = 0;
  while (start < lines.length) {
    const newline = lines.indexOf('\n', start);
    const end = newline < 0 ? lines.length : newline + 1;
    yield lines.slice(start, end);
    start = end;
  }
}
