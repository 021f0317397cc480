import { closeSync, openSync, readSync } from 'node:fs';

/** Bytes of a pipeline file: 10,000 steps of 400. */
export const maxPipelineBytes = 4 * 1024 * 1024;

/**
 * The bytes of a file, up to one more than a pipeline may have: a file of any size is read as fast,
 * and refused when it is loaded. Throws what the file system does.
 */
export function readPipelineBytes(path: string): Buffer {
  const file = openSync(path, 'r');
  try {
    const pieces: Buffer[] = [];
    let left = maxPipelineBytes + 1;
    // Most files are small, and a build is made of each.
    for (let size = firstPiece; left > 0; size *= 4) {
      const piece = Buffer.allocUnsafe(Math.min(size, left));
      const read = readSync(file, piece, 0, piece.length, null);
      if (read === 0) break;
      pieces.push(piece.subarray(0, read));
      left -= read;
    }
    return Buffer.concat(pieces);
  } finally {
    closeSync(file);
  }
}

const firstPiece = 16 * 1024;

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
