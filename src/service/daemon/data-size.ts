import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Bytes of what builds have left in a data folder, the database too; what is not there has none. */
export async function dataSize(dataDir: string): Promise<number> {
  const names = await readdir(dataDir).catch(() => []);
  const database = names.filter((name) => name.startsWith('service.db'));
  const sizes = await Promise.all(
    [...database, ...folders].map((name) => sizeOf(join(dataDir, name))),
  );
  return Math.round(sum(sizes));
}

const folders = ['logs', 'log-pieces', 'artifacts', 'snapshots'];

/** Files may go while they are looked at. */
async function sizeOf(path: string): Promise<number> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) return 0;
  // Snapshots share files: each has its part of them.
  if (!found.isDirectory()) return found.size / Math.max(1, found.nlink);
  const names = await readdir(path).catch(() => []);
  let total = 0;
  for (let from = 0; from < names.length; from += atOnce) {
    const part = names.slice(from, from + atOnce);
    total += sum(await Promise.all(part.map((name) => sizeOf(join(path, name)))));
  }
  return total;
}

/** Files asked about at once. */
const atOnce = 64;

const sum = (sizes: readonly number[]): number => sizes.reduce((all, size) => all + size, 0);
