/** The system's own reports of changes, of each folder that holds a file that counts. */
import { statSync, watch, type FSWatcher } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Clock } from '../../clock.ts';
import { countsAsFolder, type Snapshot } from './checkout-files.ts';

/** Milliseconds without a change after which a burst of them counts as over. */
const rest = 200;
/** Milliseconds between two looks where the system reports no changes. */
const pause = 1000;

interface Watched {
  readonly watcher: FSWatcher;
  /** Another folder that has taken its place has another one. */
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
      // What was written before it was watched counts as well.
      changes++;
    } catch (error) {
      close(folder);
      if (isGone(error)) return;
      // The system watches no more folders: look from time to time.
      isPolling = true;
    }
  };
  let looked = 0;
  return {
    /** What changes from here on may be missing in the look, and counts for the next. */
    beginLook(): void {
      looked = changes;
    },
    /** After a look at the files: watches their folders, and new ones that are empty as yet. */
    async update(files: Snapshot): Promise<void> {
      for (const folder of wantedFolders(files)) open(folder);
      for (const path of appeared) {
        appeared.delete(path);
        for (const folder of await newFolders(root, path)) open(folder);
      }
    },
    /** Resolves when something has changed since the last look began, and has rested. */
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

/** The folder of that path with those below it that count; none where it is no folder. */
async function newFolders(root: string, path: string): Promise<string[]> {
  const entries = await readdir(join(root, path), { withFileTypes: true }).catch(() => undefined);
  if (entries === undefined || !(await countsAsFolder(root, path))) return [];
  const inner = entries.filter((entry) => entry.isDirectory());
  const below = await Promise.all(inner.map(({ name }) => newFolders(root, join(path, name))));
  return [path, ...below.flat()];
}
