/** Files of the cache are written to a draft beside them, so that readers find all or nothing. */
import { randomUUID } from 'node:crypto';
import { chmod, open, rename, rm, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder } from '../make-folder.ts';

export interface Draft {
  readonly file: FileHandle;
  /** Moves it to its final path, atomically. */
  readonly keep: () => Promise<void>;
  readonly drop: () => Promise<void>;
}

/** The end of the name of a file that is being written. */
export const draftSuffix = '.part';

/** Readable by this user only, like its folder. */
export async function openDraft(path: string): Promise<Draft> {
  const folder = dirname(path);
  await makeFolder(folder, 0o700);
  for (const each of [dirname(folder), folder]) await chmod(each, 0o700);
  const draft = join(folder, `${randomUUID()}${draftSuffix}`);
  const file = await open(draft, 'wx', 0o600);
  return {
    file,
    keep: async () => {
      await file.close();
      await rename(draft, path);
    },
    drop: async () => {
      await file.close().catch(() => undefined);
      await rm(draft, { force: true });
    },
  };
}
