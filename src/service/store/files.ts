import { chmodSync, closeSync, openSync, lstatSync } from 'node:fs';
import { rm } from 'node:fs/promises';

/** Makes the file with mode 0600, or gives it that mode: SQLite would take the usual one. */
export function makeFilePrivate(file: string): void {
  closeSync(openSync(file, 'a', 0o600));
  chmodSync(file, 0o600);
}

/**
 * Removes a file or directory if there is one. Most builds have no artifacts and many jobs no log, and looking takes
 * a tenth of the time of a removal in vain.
 */
export async function removeExisting(path: string): Promise<void> {
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined)
    await rm(path, { recursive: true, force: true });
}
