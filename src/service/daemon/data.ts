import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { CictlError } from '../../errors.ts';

/** Deletes the service's files and no other files. The service must not be running. */
export async function removeData(dataDir: string): Promise<void> {
  await change('delete', dataDir, async () => {
    for (const name of await ownNames(dataDir)) {
      await rm(join(dataDir, name), { recursive: true, force: true, maxRetries: 3 });
    }
  });
}

/**
 * Renames the data directory and returns its new path. If the directory cannot be renamed, for
 * example because it is a mount point, moves the data to a subdirectory. The service must not be
 * running.
 */
export async function moveData(dataDir: string, now: number): Promise<string> {
  const stamp = new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, '');
  return change('move', dataDir, async () => {
    const aside = `${dataDir}-${stamp}`;
    const isMoved = await rename(dataDir, aside).then(() => true, cannotRename);
    if (isMoved) return aside;
    const inside = join(dataDir, `reset-${stamp}`);
    await mkdir(inside, { mode: 0o700 });
    for (const name of await ownNames(dataDir))
      await rename(join(dataDir, name), join(inside, name));
    return inside;
  });
}

/** Returns false if the files may still be movable individually. Rethrows all other errors. */
function cannotRename(error: unknown): false {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (['EBUSY', 'EXDEV', 'EACCES', 'EPERM', 'EROFS'].includes(code)) return false;
  throw error;
}

async function change<T>(verb: string, dataDir: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CictlError('machine', `cannot ${verb} the data in ${dataDir}: ${reason}`, { cause });
  }
}

const ownNames = async (dataDir: string): Promise<string[]> =>
  (await readdir(dataDir).catch(noneThere)).filter(isOurs);

/** `service.db` with its companion files, `service.json`, `service.lock` and `service.log`. */
const isOurs = (name: string): boolean => name.startsWith('service.') || others.has(name);

const others = new Set([
  ...['bin', 'credentials.json', 'logs', 'log-pieces', 'artifacts', 'snapshots', 'workspaces'],
  'agents',
]);

function noneThere(error: unknown): string[] {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
  throw error;
}

/** Total size of the database and the files of builds in bytes. Missing files count as 0. */
export async function dataSize(dataDir: string): Promise<number> {
  const names = await readdir(dataDir).catch(() => []);
  const database = names.filter((name) => name.startsWith('service.db'));
  const sizes = await Promise.all(
    [...database, ...folders].map((name) => sizeOf(join(dataDir, name))),
  );
  return Math.round(sum(sizes));
}

const folders = ['logs', 'log-pieces', 'artifacts', 'snapshots'];

async function sizeOf(path: string): Promise<number> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) return 0;
  // Divides by the number of hard links, because snapshots share files.
  if (!found.isDirectory()) return found.size / Math.max(1, found.nlink);
  const names = await readdir(path).catch(() => []);
  let total = 0;
  for (let from = 0; from < names.length; from += atOnce) {
    const part = names.slice(from, from + atOnce);
    total += sum(await Promise.all(part.map((name) => sizeOf(join(path, name)))));
  }
  return total;
}

const atOnce = 64;

const sum = (sizes: readonly number[]): number => sizes.reduce((all, size) => all + size, 0);
