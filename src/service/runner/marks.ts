const newline = 0x0a;

/**
 * A stage that puts the time mark of the public service before each line: `ESC _ bk;t=<ms> BEL`,
 * the time being that of the line's first byte. Lines end at `\n` alone; a carriage return begins
 * its line anew and keeps the mark. The bytes themselves stay as they are.
 */
export function createMarker(now: () => number): (chunk: Buffer) => Buffer {
  let isLineStart = true;
  return (chunk) => {
    const mark = Buffer.from(`\x1b_bk;t=${now()}\x07`);
    const parts: Buffer[] = [];
    for (let start = 0; start < chunk.length;) {
      const end = chunk.indexOf(newline, start);
      const next = end === -1 ? chunk.length : end + 1;
      if (isLineStart) parts.push(mark);
      parts.push(chunk.subarray(start, next));
      isLineStart = end !== -1;
      start = next;
    }
    return Buffer.concat(parts);
  };
}
