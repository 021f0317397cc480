/** Atomic writes: a temporary file in the same directory is written and then renamed. */
import { randomUUID } from 'node:crypto';
import { open, rename, rm, type FileHandle, mkdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

export interface DraftFile {
  readonly file: FileHandle;
  readonly commit: () => Promise<void>;
  readonly discard: () => Promise<void>;
}

export const draftSuffix = '.part';

/** Whether this is the name of a draft, which a crashed process may have left behind. */
export const isDraftName = (name: string): boolean =>
  /^\.cictl-[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\.part$/.test(name);

/** Creates a draft in the directory of `path`, which must exist. `mode` is the final mode. */
export async function openDraft(path: string, mode?: number): Promise<DraftFile> {
  const draft = join(dirname(path), `.cictl-${randomUUID()}${draftSuffix}`);
  const file = await open(draft, 'wx+', mode);
  return {
    file,
    commit: async () => {
      await file.close();
      await rename(draft, path);
    },
    discard: async () => {
      await file.close().catch(() => undefined);
      await rm(draft, { force: true });
    },
  };
}

export async function replaceFile(path: string, contents: string, mode: number): Promise<void> {
  const draft = await openDraft(path, mode);
  try {
    await draft.file.writeFile(contents);
    await draft.commit();
  } finally {
    await draft.discard();
  }
}

/** Returns false if the directory exists. Node's recursive `mkdir` would hang below `/proc`. */
export async function makeFolder(path: string, mode = 0o777): Promise<boolean> {
  try {
    return await makeOne(path, mode);
  } catch (error) {
    const parent = dirname(path);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === path) throw error;
    await makeFolder(parent, mode);
    return makeOne(path, mode);
  }
}

async function makeOne(path: string, mode: number): Promise<boolean> {
  try {
    await mkdir(path, { mode });
    return true;
  } catch (error) {
    if (await isFolder(path)) return false;
    throw error;
  }
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
