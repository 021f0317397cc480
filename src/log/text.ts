const beyondAscii = /[\x80-\xff]/;

/** Decodes a byte string (one character per byte) as UTF-8. */
export const toText = (bytes: string): string =>
  beyondAscii.test(bytes) ? Buffer.from(bytes, 'latin1').toString() : bytes;

export const toBytes = (text: string): string =>
  /[^\x00-\x7f]/.test(text) ? Buffer.from(text, 'utf8').toString('latin1') : text;

/** Yields each line with its newline, which may be missing after the last one. */
export function* eachLine(lines: string): Generator<string, void, undefined> {
  for (let start = 0; start < lines.length;) {
    const end = lineEnd(lines, start);
    yield lines.slice(start, end);
    start = end;
  }
}

export function lineEnd(lines: string, start: number): number {
  const newline = lines.indexOf('\n', start);
  return newline < 0 ? lines.length : newline + 1;
}

/** The offset of the last `count` lines. An incomplete last line is counted as a line. */
export function startOfLast(lines: string, count: number): number {
  let at = lines.length;
  if (count === 0) return at;
  if (lines.endsWith('\n')) at -= 1;
  for (let found = 0; found < count && at >= 0; found++) {
    at = at === 0 ? -1 : lines.lastIndexOf('\n', at - 1);
  }
  return at + 1;
}

export function mapLines(lines: string, change: (line: string) => string): string {
  let out = '';
  let unchanged = 0;
  for (let start = 0; start < lines.length;) {
    const end = lineEnd(lines, start);
    const line = lines.slice(start, end);
    const changed = change(line);
    if (changed !== line) {
      out += lines.slice(unchanged, start) + changed;
      unchanged = end;
    }
    start = end;
  }
  return unchanged === 0 ? lines : out + lines.slice(unchanged);
}
