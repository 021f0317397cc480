/** Caches in memory. They remain valid because no other process writes to the database. */
import type { Tree } from '../domain/records.ts';

/** Maximum total number of jobs in all cached finished builds. */
const maxEndedJobs = 30_000;

export type TreeCache = ReturnType<typeof createTreeCache>;

/** Caches all unfinished builds and the most recently stored finished builds. */
export function createTreeCache(limit = maxEndedJobs) {
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
    get: (id: string): Tree | undefined => going.get(id) ?? ended.get(id),
    /** Stores a tree that has just been read or is being written by the open transaction. */
    put: (tree: Tree) => {
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
    /** Ends a transaction. If it failed, drops the trees that it stored. */
    close: (isWritten: boolean) => {
      if (!isWritten) for (const id of open) remove(id);
      open.clear();
    },
    drop: remove,
    clear: () => {
      for (const id of [...going.keys(), ...ended.keys()]) remove(id);
    },
  };
}

const maxRecords = 1000;

export type KnownRecords = ReturnType<typeof createKnownRecords>;

/** Caches records that nearly every request needs. */
export function createKnownRecords() {
  const known = new Map<string, unknown>();
  return {
    /** Calls `read` unless the record is cached. Missing records are not cached. */
    get: <T>(kind: string, key: string, read: () => T | undefined): T | undefined => {
      const name = `${kind} ${key}`;
      const found = known.get(name) as T | undefined;
      if (found !== undefined) return found;
      const made = read();
      if (known.size >= maxRecords) known.clear();
      if (made !== undefined) known.set(name, made);
      return made;
    },
    /** Must be called after every write and every failed transaction. */
    clear: () => {
      known.clear();
    },
  };
}

const maxLists = 200;

/** Number of builds per block. */
export const blockSize = 1024;

export type KnownCounts = ReturnType<typeof createKnownCounts>;

/**
 * For lists with several filters, caches the number of matching builds in each block. Without this
 * cache, each page of a large list would require counting the entire list again.
 */
export function createKnownCounts() {
  const lists = new Map<string, Map<number, number>>();
  return {
    get: (list: string, block: number): number | undefined => lists.get(list)?.get(block),
    set: (list: string, block: number, n: number) => {
      const counts = lists.get(list) ?? new Map<number, number>();
      // Evicts the least recently updated lists first.
      lists.delete(list);
      lists.set(list, counts.set(block, n));
      for (const [oldest] of lists) if (lists.size > maxLists) lists.delete(oldest);
    },
    /**
     * Drops the counts of the block that contains a build. `seq` returns the build's position and
     * is only called if there are counts.
     */
    touch: (seq: () => number) => {
      if (lists.size === 0) return;
      const block = Math.floor(seq() / blockSize);
      for (const counts of lists.values()) counts.delete(block);
    },
    clear: () => {
      lists.clear();
    },
  };
}
