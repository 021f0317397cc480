import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { draftSuffix } from '../draft-file.ts';

interface Kept {
  readonly path: string;
  readonly size: number;
  /** When it was used last. */
  readonly used: number;
}

/** Whoever writes a file has done so by then, or will not any more. */
const longestWriting = 60 * 60_000;

/** Removes what was not used for longest until all together is at most `most` bytes. */
export async function evict(folder: string, most: number, now: number): Promise<void> {
  const files = await keptFiles(folder);
  const isLeft = ({ path, used }: Kept): boolean =>
    path.endsWith(draftSuffix) && used < now - longestWriting;
  for (const { path } of files.filter(isLeft)) await rm(path, { force: true });
  const kept = files.filter(({ path }) => !path.endsWith(draftSuffix));
  let total = kept.reduce((sum, { size }) => sum + size, 0);
  for (const { path, size } of kept.sort((one, other) => one.used - other.used)) {
    if (total <= most) return;
    await rm(path, { force: true });
    total -= size;
  }
}

/** Others may remove files meanwhile. */
async function keptFiles(folder: string): Promise<Kept[]> {
  const names = await readdir(folder, { recursive: true });
  const files = names.map(async (name) => {
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    return found?.isFile() === true ? [{ path, size: found.size, used: found.mtimeMs }] : [];
  });
  return (await Promise.all(files)).flat();
}
