import { closeSync, openSync, readSync } from 'node:fs';

/** Bytes of a pipeline file: 10,000 steps of 400. */
export const maxPipelineBytes = 4 * 1024 * 1024;

/**
 * The bytes of a file, up to one more than a pipeline may have: a file of any size is read as fast,
 * and refused when it is loaded. Throws what the file system does.
 */
export function readPipelineBytes(path: string): Buffer {
  const bytes = Buffer.alloc(maxPipelineBytes + 1);
  const file = openSync(path, 'r');
  try {
    let length = 0;
    for (let read = -1; read !== 0; length += read)
      read = readSync(file, bytes, length, bytes.length - length, null);
    return bytes.subarray(0, length);
  } finally {
    closeSync(file);
  }
}
