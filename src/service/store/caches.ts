/** Builds in memory: all that go on, and of the others those that were wanted last. */
import type { Tree } from '../domain/records.ts';

export interface TreeCache {
  get(buildId: string): Tree | undefined;
  /** A state that was read, or that is being written. */
  put(tree: Tree): void;
  /** What was put has been written, or none of it has. */
  close(isWritten: boolean): void;
  /** It is gone. */
  drop(buildId: string): void;
  clear(): void;
}

/** How many jobs of builds that have come to an end are kept. */
const maxEndedJobs = 30_000;

/** Right as long as nobody else writes to the database. */
export function createTreeCache(limit = maxEndedJobs): TreeCache {
  const going = new Map<string, Tree>();
  const ended = new Map<string, Tree>();
  let endedJobs = 0;
  const open = new Set<string>();
  const remove = (id: string): void => {
    going.delete(id);
    endedJobs -= ended.get(id)?.jobs.length ?? 0;
    ended.delete(id);
  };
  const shrink = (): void => {
    for (const id of ended.keys()) {
      if (endedJobs <= limit) return;
      remove(id);
    }
  };
  return {
    get: (id) => going.get(id) ?? ended.get(id),
    put: (tree) => {
      const { id, finishedAt } = tree.build;
      remove(id);
      open.add(id);
      if (finishedAt === null) going.set(id, tree);
      else {
        ended.set(id, tree);
        endedJobs += tree.jobs.length;
        shrink();
      }
    },
    close: (isWritten) => {
      if (!isWritten) for (const id of open) remove(id);
      open.clear();
    },
    drop: remove,
    clear: () => {
      for (const id of [...going.keys(), ...ended.keys()]) remove(id);
    },
  };
}

/** Records that nearly each request looks up, in memory until one of them is written. */
export interface KnownRecords {
  /** What `read` gives, read once for a key; what is not there is looked for again. */
  get<T>(kind: string, key: string, read: () => T | undefined): T | undefined;
  /** Something is written, or could not be. */
  clear(): void;
}

const most = 1000;

/** Right as long as nobody else writes to the database. */
export function createKnownRecords(): KnownRecords {
  const known = new Map<string, unknown>();
  return {
    get: <T>(kind: string, key: string, read: () => T | undefined) => {
      const name = `${kind} ${key}`;
      // What stands under a kind was read by that kind's reader.
      const found = known.get(name) as T | undefined;
      if (found !== undefined) return found;
      const made = read();
      if (known.size >= most) known.clear();
      if (made !== undefined) known.set(name, made);
      return made;
    },
    clear: () => known.clear(),
  };
}
