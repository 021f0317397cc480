import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { draftSuffix } from '../draft-file.ts';

interface CachedFile {
  readonly path: string;
  readonly size: number;
  /** When it was used last. */
  readonly used: number;
}

/** A writer has finished by then, or has died. */
const longestWriting = 60 * 60_000;

/** Removes the least recently used until all together is at most `max` bytes; gives the bytes that are left. */
export async function evictOverSize(folder: string, max: number, now: number): Promise<number> {
  const files = await listCachedFiles(folder);
  const isStale = ({ path, used }: CachedFile): boolean =>
    path.endsWith(draftSuffix) && used < now - longestWriting;
  for (const { path } of files.filter(isStale)) await rm(path, { force: true });
  const kept = files.filter(({ path }) => !path.endsWith(draftSuffix));
  let total = kept.reduce((sum, { size }) => sum + size, 0);
  for (const { path, size } of kept.sort((one, other) => one.used - other.used)) {
    if (total <= max) break;
    await rm(path, { force: true });
    total -= size;
  }
  return total;
}

/** Other processes may remove files meanwhile. */
async function listCachedFiles(folder: string): Promise<CachedFile[]> {
  const names = await readdir(folder, { recursive: true });
  const files = names.map(async (name) => {
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    return found?.isFile() === true ? [{ path, size: found.size, used: found.mtimeMs }] : [];
  });
  return (await Promise.all(files)).flat();
}
