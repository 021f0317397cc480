import { closeSync, openSync, readSync } from 'node:fs';

export const maxPipelineBytes = 4 * 1024 * 1024;

/**
 * Reads at most one byte more than the maximum size, which is enough for the parser to reject the
 * file. Throws file system errors.
 */
export function readPipelineBytes(path: string): Buffer {
  const file = openSync(path, 'r');
  try {
    const chunks: Buffer[] = [];
    let left = maxPipelineBytes + 1;
    // Starts with a small chunk, because most files are small.
    for (let size = firstChunk; left > 0; size *= 4) {
      const chunk = Buffer.allocUnsafe(Math.min(size, left));
      const read = readSync(file, chunk, 0, chunk.length, null);
      if (read === 0) break;
      chunks.push(chunk.subarray(0, read));
      left -= read;
    }
    return Buffer.concat(chunks);
  } finally {
    closeSync(file);
  }
}

const firstChunk = 16 * 1024;

/** The public agent also accepts UTF-16 files with these byte order marks. */
const marks = [
  [0xff, 0xfe, 'utf-16le'],
  [0xfe, 0xff, 'utf-16be'],
] as const;

export function decodePipeline(bytes: Uint8Array): string {
  const mark = marks.find(([first, second]) => bytes[0] === first && bytes[1] === second);
  return new TextDecoder(mark?.[2] ?? 'utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
}
