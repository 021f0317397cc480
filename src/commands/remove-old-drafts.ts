import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isDraftName } from '../draft-file.ts';

/** Longer than any file is written without a pause. */
const day = 24 * 60 * 60_000;

/**
 * Removes what a process that was killed has left of the files that it wrote into this folder. It
 * is a service to the user that no command fails of.
 */
export async function removeOldDrafts(folder: string, now: number): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter(isDraftName)) {
    await removeOld(join(folder, name), now - day).catch(() => undefined);
  }
}

/** A link of such a name is not ours, whatever it leads to. */
async function removeOld(path: string, before: number): Promise<void> {
  const found = await lstat(path);
  if (found.isFile() && found.mtimeMs < before) await rm(path);
}
