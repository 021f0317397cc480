/** Builds in memory: all that go on, and of the others those that were wanted last. */
import type { Tree } from '../domain/records.ts';
import type { TimeFilters, Group } from './build-filters.ts';
import type { Database } from './database.ts';

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

// How many builds of each block are in a list with several filters, counted once and again only where a build
// changes: counting a large list for each of its pages reads an index as long as the list.

export interface KnownCounts {
  /** How many builds of a block are in the list, or undefined if that is unknown. */
  get(list: string, block: number): number | undefined;
  set(list: string, block: number, n: number): void;
  /** A build was added, changed or removed; `seq` gives its place and is called only if needed. */
  touch(seq: () => number): void;
  clear(): void;
}

/** Lists that are remembered, each with a number for every 1024 builds. */
const mostLists = 200;

export function createKnownCounts(): KnownCounts {
  const lists = new Map<string, Map<number, number>>();
  return {
    get: (list, block) => lists.get(list)?.get(block),
    set: (list, block, n) => {
      const counts = lists.get(list) ?? new Map<number, number>();
      // The list that was read last is removed last.
      lists.delete(list);
      lists.set(list, counts.set(block, n));
      for (const [oldest] of lists) if (lists.size > mostLists) lists.delete(oldest);
    },
    touch: (seq) => {
      if (lists.size === 0) return;
      const block = Math.floor(seq() / blockSize);
      for (const counts of lists.values()) counts.delete(block);
    },
    clear: () => lists.clear(),
  };
}

// Kept counts of builds (`count-builds.ts`): how many are in groups, in all and block by block.

/** Builds that stand together in their order: those from `low` to `high`. */
export interface Block {
  readonly low: number;
  readonly high: number;
  /** How many of them are in the groups. */
  readonly n: number;
  /** Whether all those are within the times that are asked for. */
  readonly isWhole: boolean;
}

/** Builds of a block. */
export const blockSize = 1024;

export function sumOf(database: Database, groups: readonly Group[]): number {
  const sql =
    'select coalesce(sum(n), 0) as n from build_counts where scope = ? and name = ? and value = ?';
  return groups.reduce(
    (sum, { scope, name, value }) => sum + Number(database.get(sql, scope, name, value)?.n),
    0,
  );
}

/** Blocks in which there may be builds of the groups within the times, the newest first. */
export function blocksOf(
  database: Database,
  groups: readonly Group[],
  { createdFrom = first, createdTo = last, finishedFrom }: TimeFilters,
): Block[] {
  const blocks = new Map<number, Block>();
  const times = [createdFrom, createdTo, finishedFrom ?? null, finishedFrom ?? null];
  for (const { scope, name, value } of groups)
    for (const row of database.all(sql, ...times, scope, name, value, ...times)) {
      const [block, n] = [Number(row.block), Number(row.n)];
      const low = block * blockSize;
      const before = blocks.get(block)?.n ?? 0;
      const isWhole = row.is_whole === 1;
      blocks.set(block, { low, high: low + blockSize - 1, n: n + before, isWhole });
    }
  return [...blocks.values()].sort((a, b) => b.low - a.low);
}

const [first, last] = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];

const sql = `select c.block, c.n, z.created_min >= ? and z.created_max < ?
    and (? is null or (z.unfinished = 0 and z.finished_min >= ?)) as is_whole
  from build_counts c cross join build_zones z on z.block = c.block
  where c.scope = ? and c.name = ? and c.value = ?
    and z.created_max >= ? and z.created_min < ? and (? is null or z.finished_max >= ?)`;
