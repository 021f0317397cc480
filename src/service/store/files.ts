import { chmodSync, closeSync, openSync, lstatSync } from 'node:fs';
import { rm, type FileHandle } from 'node:fs/promises';

/** Creates the file with mode 0600 or sets its mode. SQLite itself would use the default mode. */
export function makeFilePrivate(file: string): void {
  closeSync(openSync(file, 'a', 0o600));
  chmodSync(file, 0o600);
}

/**
 * Removes a file or directory if it exists. Most builds have no artifacts and many jobs have no
 * log, and checking first is ten times as fast as `rm`.
 */
export async function removeExisting(path: string): Promise<void> {
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined)
    await rm(path, { recursive: true, force: true });
}

/** Writes all bytes. If the disk is nearly full, a single write may only write some of them. */
export async function writeChunk(file: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let done = 0; done < chunk.byteLength;) {
    const { bytesWritten } = await file.write(chunk, done);
    done += bytesWritten;
  }
}
