/** Removes old builds with their logs and artifacts. */
import type { LocalClock } from '../clock.ts';
import type { ArtifactFiles } from '../store/artifact-files.ts';
import type { Logs } from '../store/logs.ts';
import type { RemovedBuild } from '../store/old-builds.ts';
import type { Store } from '../store/store.ts';
import { nextTurn } from '../../timer.ts';
import type { Keep } from './keep.ts';
import { oldIds } from './old-ids.ts';

export interface Pruner {
  /** Removes at most `most` builds, others being answered in between; gives how many. */
  prune(keep: Keep, most?: number): Promise<number>;
  /** Removes files of builds that were removed before the service was killed. */
  removeLeftovers(): Promise<void>;
  /** Lets what is under way come to its end; nothing is removed after that. */
  close(): Promise<void>;
}

export interface PrunerParts {
  readonly store: Store;
  readonly logs: Logs;
  readonly artifactFiles: ArtifactFiles;
  readonly clock: LocalClock;
}

/**
 * A build goes from the tables first, in one piece with a note of its files; then go the files, then
 * the note. Killed in between, the files go at the next start.
 */
export function createPruner({ store, logs, artifactFiles, clock }: PrunerParts): Pruner {
  let isClosed = false;
  let under: Promise<unknown> = Promise.resolve();
  async function removeFiles({ buildId, jobIds }: RemovedBuild): Promise<void> {
    for (const id of jobIds) await logs.remove(id);
    await artifactFiles.removeBuild(buildId);
    store.oldBuilds.filesGone(buildId);
  }
  async function prune(keep: Keep, most: number): Promise<number> {
    let count = 0;
    for (const part of oldIds(store, keep, clock.now())) {
      for (const id of part) {
        if (isClosed || count >= most) return count;
        const removed = store.transaction(() => removeUnused(store, id));
        if (removed === undefined) continue;
        await removeFiles(removed);
        count += 1;
      }
      await nextTurn();
    }
    return count;
  }
  const inOrder = <T>(work: () => Promise<T>): Promise<T> => {
    const result = under.then(work, work);
    under = result.catch(() => undefined);
    return result;
  };
  return {
    prune: (keep, most = Infinity) => inOrder(() => prune(keep, most)),
    removeLeftovers: () =>
      inOrder(async () => {
        for (const removed of store.oldBuilds.removed()) {
          if (isClosed) return;
          await removeFiles(removed);
        }
      }),
    close: async () => {
      isClosed = true;
      await under;
    },
  };
}

/** It may have been retried, or rebuilt, since it was found. */
function removeUnused({ builds, oldBuilds }: Store, id: string): RemovedBuild | undefined {
  const build = builds.byId(id);
  if (build === undefined || build.finishedAt === null || build.blocked) return undefined;
  return oldBuilds.inUse().has(id) ? undefined : oldBuilds.remove(id);
}
