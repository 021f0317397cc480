/**
 * How many builds of each block are in a list with several filters, counted once and again only where a build
 * changes: counting a large list for each of its pages reads an index as long as the list.
 */
import { blockSize } from './build-blocks.ts';

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
