import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

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
