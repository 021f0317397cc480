/** Files that others read meanwhile: written beside their place and renamed, all of it or nothing. */
import { randomUUID } from 'node:crypto';
import { open, rename, rm, type FileHandle, mkdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

export interface DraftFile {
  readonly file: FileHandle;
  /** Puts it in its place, in one step. */
  readonly commit: () => Promise<void>;
  /** Removes it; nothing where it is in its place already. */
  readonly discard: () => Promise<void>;
}

/** The end of the name of a file that is being written. */
export const draftSuffix = '.part';

/** Whether a file of that name is one that is being written, or that was when its process died. */
export const isDraftName = (name: string): boolean =>
  /^\.cictl-[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\.part$/.test(name);

/** Opens a new file in the folder of `path`, which must be there. `mode` is what it has in the end. */
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

/** Writes the whole file; a failure leaves what was there. */
export async function replaceFile(path: string, contents: string, mode: number): Promise<void> {
  const draft = await openDraft(path, mode);
  try {
    await draft.file.writeFile(contents);
    await draft.commit();
  } finally {
    await draft.discard();
  }
}

/**
 * Makes the folder and those above it; false where it is there already. The recursive `mkdir` of
 * Node is not used: below `/proc` it tries for ever.
 */
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
