import { settle } from '../log/settle.ts';
import type { Keep } from '../log/sequences.ts';

/**
 * The text of a log that grows: whole lines, as soon as they are there. Unlike a log that is read
 * to its end, no line waits for a cursor that may still go up to it.
 */
export async function* settledLines(
  log: AsyncIterable<Uint8Array>,
  keep: Keep,
): AsyncGenerator<string> {
  let rest = Buffer.alloc(0);
  for await (const chunk of log) {
    const bytes = Buffer.concat([rest, chunk]);
    const end = bytes.length > longest ? bytes.length : bytes.lastIndexOf(newline) + 1;
    rest = bytes.subarray(end);
    if (end > 0) yield settled(bytes.subarray(0, end), keep);
  }
  if (rest.length > 0) yield settled(rest, keep);
}

const newline = 0x0a;

/** Bytes; a longer line is printed in pieces. */
const longest = 256 * 1024;

function settled(bytes: Buffer, keep: Keep): string {
  const stage = settle(keep);
  return Buffer.from(stage.push(bytes) + stage.end(), 'latin1').toString();
}
