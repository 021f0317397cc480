/** Says when files of a checkout have changed and have then rested for a moment. */
import { watch, type FSWatcher } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Clock } from '../../clock.ts';
import { changedPaths, snapshotOf, type Snapshot } from './checkout-files.ts';

export interface FileWatcher {
  /**
   * The paths that have changed since the last look. During a run a new file is taken for one that
   * a job has made, and does not count, then or later.
   */
  look(options: Looking): Promise<string[]>;
  /** The same, as soon as there are any. Rejects with the reason of the signal. */
  next(options: Looking & { readonly signal: AbortSignal }): Promise<string[]>;
  close(): void;
}

interface Looking {
  readonly isRunning: boolean;
}

/** Milliseconds without a change after which a burst of them counts as over. */
const rest = 200;
/** Milliseconds between two looks where the system reports no changes. */
const pause = 1000;

export async function watchFiles(folder: string, clock: Clock): Promise<FileWatcher> {
  let known = await snapshotOf(folder);
  const made = new Set<string>();
  const folders = watchFolders(folder);
  folders.update(known);
  const look = async ({ isRunning }: Looking): Promise<string[]> => {
    const now = await snapshotOf(folder, known);
    const all = changedPaths(known, now).filter((path) => !made.has(path));
    const isOwn = (path: string): boolean => isRunning && !known.has(path);
    for (const path of all.filter(isOwn)) made.add(path);
    known = now;
    folders.update(now);
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

/** The system's own reports, of each folder that holds a file that counts. */
function watchFolders(root: string) {
  const watchers = new Map<string, FSWatcher>();
  let isPolling = false;
  let changes = 0;
  const open = (folder: string): void => {
    try {
      const watcher = watch(join(root, folder), () => {
        changes++;
      });
      watcher.on('error', () => watchers.delete(folder));
      watchers.set(folder, watcher);
    } catch {
      // The system watches no more folders: look from time to time.
      isPolling = true;
    }
  };
  return {
    update(files: Snapshot): void {
      const wanted = new Set(['.', ...[...files.keys()].flatMap(foldersAbove)]);
      for (const folder of wanted) if (!watchers.has(folder)) open(folder);
    },
    async change(signal: AbortSignal, clock: Clock): Promise<void> {
      const before = changes;
      while (changes === before && !isPolling) await clock.sleep(50, signal);
      if (isPolling) return clock.sleep(pause, signal);
      for (let seen = -1; seen !== changes;) {
        seen = changes;
        await clock.sleep(rest, signal);
      }
    },
    close(): void {
      for (const watcher of watchers.values()) watcher.close();
    },
  };
}

function foldersAbove(path: string): string[] {
  const folder = dirname(path);
  return folder === '.' ? [] : [folder, ...foldersAbove(folder)];
}
