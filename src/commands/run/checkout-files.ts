/** The files that a person changes: those of the checkout that git does not ignore. */
import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { gitOutput } from '../../git.ts';
import { mapConcurrent } from '../map-concurrent.ts';

/** What each file is like, by its path below the folder. */
export type Snapshot = ReadonlyMap<string, string>;

/** Larger ones count as changed when they were written, whatever they hold. */
const largestRead = 4 << 20;

/** By content: a job that writes what was there before has changed nothing. */
export async function snapshotOf(folder: string, before?: Snapshot): Promise<Snapshot> {
  const paths = await listFiles(folder);
  const files = new Map<string, string>();
  const read = async (path: string): Promise<void> => {
    const mark = await markOf(join(folder, path), before?.get(path));
    if (mark !== undefined) files.set(path, mark);
  };
  await mapConcurrent(paths, 32, read);
  return files;
}

/** Without git all files but those of node_modules. */
async function listFiles(folder: string): Promise<readonly string[]> {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate'];
  const listed = await gitOutput(folder, args);
  if (listed !== undefined) return listed.split('\0').filter((path) => path !== '');
  return walk(folder, '');
}

/** Whether files in that folder count, were there any. */
export async function countsAsFolder(root: string, path: string): Promise<boolean> {
  if (path.split(sep).some((name) => leftOut.has(name))) return false;
  // It ends well only where the path is ignored.
  return (await gitOutput(root, ['check-ignore', '--quiet', path])) === undefined;
}

async function walk(folder: string, below: string): Promise<string[]> {
  const entries = await readdir(join(folder, below), { withFileTypes: true }).catch(() => []);
  const lists = entries.map(async (entry) => {
    const path = join(below, entry.name);
    if (entry.isDirectory()) return leftOut.has(entry.name) ? [] : walk(folder, path);
    return [path];
  });
  return (await Promise.all(lists)).flat();
}

const leftOut = new Set(['node_modules', '.git']);

/** `time:size:hash`; the hash of a file that was not written since is taken over. */
async function markOf(path: string, before: string | undefined): Promise<string | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile() !== true) return undefined;
  const written = `${found.mtimeMs}:${found.size}`;
  if (before?.startsWith(`${written}:`) === true) return before;
  if (found.size > largestRead) return `${written}:${written}`;
  const bytes = await readFile(path).catch(() => undefined);
  if (bytes === undefined) return undefined;
  return `${written}:${createHash('sha1').update(bytes).digest('hex')}`;
}

/** The paths whose content differs, in order. */
export function changedPaths(before: Snapshot, now: Snapshot): string[] {
  const paths = new Set([...before.keys(), ...now.keys()]);
  return [...paths].filter((path) => hashOf(before.get(path)) !== hashOf(now.get(path))).sort();
}

const hashOf = (mark: string | undefined): string | undefined =>
  mark?.split(':').slice(2).join(':');
