import { readSync } from 'node:fs';

/** Bytes that a pipe holds at most, unless an administrator has allowed more. */
const largestPipe = 1 << 20;
const chunk = Buffer.alloc(1 << 16);

/**
 * All that is in a pipe now, by a reading end that does not wait. Whoever goes on writing meanwhile
 * is not followed for ever.
 */
export function readRest(reading: number): Buffer {
  const parts: Buffer[] = [];
  for (let size = 0; size <= largestPipe;) {
    const count = readNow(reading);
    if (count === 0) break;
    parts.push(Buffer.from(chunk.subarray(0, count)));
    size += count;
  }
  return Buffer.concat(parts);
}

/** 0 where there is nothing. */
function readNow(reading: number): number {
  try {
    return readSync(reading, chunk);
  } catch {
    return 0;
  }
}
