/** Says when files of a checkout have changed and have then rested for a moment. */
import type { Clock } from '../../clock.ts';
import { changedPaths, snapshotOf } from './checkout-files.ts';
import { watchFolders } from './watch-folders.ts';

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

export async function watchFiles(folder: string, clock: Clock): Promise<FileWatcher> {
  let known = await snapshotOf(folder);
  const made = new Set<string>();
  // A person's file stays one where it is taken away and put back, also while a job runs.
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
