/** Reports changed files of a checkout once no more changes arrive. */
import { statSync, watch, type FSWatcher } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { createHash } from 'node:crypto';
import type { Clock } from '../../common/clock.ts';
import { gitOutput } from '../../common/git.ts';
import { mapConcurrent } from '../async.ts';

export interface FileWatcher {
  /**
   * The paths that changed since the last check. A file that is created during a run is assumed to
   * come from a job and is never reported.
   */
  look(options: Looking): Promise<string[]>;
  /** Waits for changes and returns the paths. Rejects with the signal's reason. */
  next(options: Looking & { readonly signal: AbortSignal }): Promise<string[]>;
  close(): void;
}

interface Looking {
  readonly isRunning: boolean;
}

export async function watchFiles(folder: string, clock: Clock): Promise<FileWatcher> {
  let known = await snapshotOf(folder);
  const made = new Set<string>();
  // Files that existed before are reported even if a job deletes and restores them.
  const ever = new Set(known.keys());
  const folders = watchFolders(folder);
  await folders.update(known);
  const look = async ({ isRunning }: Looking): Promise<string[]> => {
    folders.beginLook();
    const now = await snapshotOf(folder, known);
    const all = changedPaths(known, now).filter((path) => !made.has(path));
    for (const path of all.filter((one) => !ever.has(one))) (isRunning ? made : ever).add(path);
    known = now;
    await folders.update(now);
    return all.filter((path) => !made.has(path));
  };
  return {
    look,
    async next({ isRunning, signal }) {
      for (;;) {
        const changed = await look({ isRunning });
        if (changed.length > 0) return changed;
        await folders.change(signal, clock);
      }
    },
    close: () => folders.close(),
  };
}

// Uses file system notifications to watch each directory that contains a relevant file.

/** A burst of changes is over after this many milliseconds without a change. */
const rest = 200;
/** Polling interval in milliseconds if file system notifications are not available. */
const pause = 1000;

interface Watched {
  readonly watcher: FSWatcher;
  /** Changes if the directory is replaced. */
  readonly inode: number;
}

export function watchFolders(root: string) {
  const folders = new Map<string, Watched>();
  const appeared = new Set<string>();
  let isPolling = false;
  let changes = 0;
  const close = (folder: string): void => {
    folders.get(folder)?.watcher.close();
    folders.delete(folder);
  };
  const open = (folder: string): void => {
    try {
      const { ino: inode } = statSync(join(root, folder));
      if (folders.get(folder)?.inode === inode) return;
      close(folder);
      const watcher = watch(join(root, folder), (_, name) => {
        changes++;
        if (name !== null) appeared.add(join(folder, name));
      });
      watcher.on('error', () => folders.delete(folder));
      folders.set(folder, { watcher, inode });
      // Report a change, because changes before this moment may have been missed.
      changes++;
    } catch (error) {
      close(folder);
      if (isGone(error)) return;
      // The system's limit for watches has been reached, so poll instead.
      isPolling = true;
    }
  };
  let looked = 0;
  return {
    /** Called at the start of a check. Changes from then on lead to another check. */
    beginLook(): void {
      looked = changes;
    },
    /** Watches the directories of the files, and also new directories that are still empty. */
    async update(files: Snapshot): Promise<void> {
      for (const folder of wantedFolders(files)) open(folder);
      for (const path of appeared) {
        appeared.delete(path);
        for (const folder of await newFolders(root, path)) open(folder);
      }
    },
    /** Resolves when files have changed since the last check began and no more changes arrive. */
    async change(signal: AbortSignal, clock: Clock): Promise<void> {
      while (changes === looked && !isPolling) await clock.sleep(50, signal);
      if (isPolling) return clock.sleep(pause, signal);
      for (let seen = -1; seen !== changes;) {
        seen = changes;
        await clock.sleep(rest, signal);
      }
    },
    close(): void {
      for (const { watcher } of folders.values()) watcher.close();
    },
  };
}

const isGone = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');

const wantedFolders = (files: Snapshot): Set<string> =>
  new Set(['.', ...[...files.keys()].flatMap(foldersAbove)]);

function foldersAbove(path: string): string[] {
  const folder = dirname(path);
  return folder === '.' ? [] : [folder, ...foldersAbove(folder)];
}

/** Lists the relevant directories at and below `path`. Empty if `path` is not a directory. */
async function newFolders(root: string, path: string): Promise<string[]> {
  const entries = await readdir(join(root, path), { withFileTypes: true }).catch(() => undefined);
  if (entries === undefined || !(await countsAsFolder(root, path))) return [];
  const inner = entries.filter((entry) => entry.isDirectory());
  const below = await Promise.all(inner.map(({ name }) => newFolders(root, join(path, name))));
  return [path, ...below.flat()];
}

// Relevant files are the files of the checkout that git does not ignore.

/** Describes the state of each file. The keys are relative paths. */
type Snapshot = ReadonlyMap<string, string>;

/** Files above this size count as changed whenever they are written, even with the same content. */
const largestRead = 4 << 20;

/** Compares content, so a file that a job rewrites with the same content counts as unchanged. */
async function snapshotOf(folder: string, before?: Snapshot): Promise<Snapshot> {
  const paths = await listFiles(folder);
  const files = new Map<string, string>();
  const read = async (path: string): Promise<void> => {
    const mark = await markOf(join(folder, path), before?.get(path));
    if (mark !== undefined) files.set(path, mark);
  };
  await mapConcurrent(paths, 32, read);
  return files;
}

/** Outside a git checkout, lists all files except those in node_modules. */
async function listFiles(folder: string): Promise<readonly string[]> {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate'];
  const listed = await gitOutput(folder, args);
  if (listed !== undefined) return listed.split('\0').filter((path) => path !== '');
  return walk(folder, '');
}

/** Whether files in a directory would be relevant. */
async function countsAsFolder(root: string, path: string): Promise<boolean> {
  if (path.split(sep).some((name) => leftOut.has(name))) return false;
  // `git check-ignore` exits with 0 only if the path is ignored.
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

/** Returns `time:size:hash`. Keeps the old hash if the file has not been written since. */
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

/** The paths of files whose content differs, sorted. */
function changedPaths(before: Snapshot, now: Snapshot): string[] {
  const paths = new Set([...before.keys(), ...now.keys()]);
  return [...paths].filter((path) => hashOf(before.get(path)) !== hashOf(now.get(path))).sort();
}

const hashOf = (mark: string | undefined): string | undefined =>
  mark?.split(':').slice(2).join(':');
