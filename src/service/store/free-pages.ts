/**
 * Gives the space of removed records back to the disk, a few pages at a time. A database of an earlier version cannot
 * do that in steps: it is written anew as a whole if little is left of it, and otherwise keeps its size, with room for
 * new builds.
 */
import { isStorageError, type Database } from './database.ts';

export type FreePages = ReturnType<typeof freePages>;

/** Pages moved in one step, some ten milliseconds. */
const mostPages = 500;

/** Pages that are written anew at once, 16 MB: a tenth of a second. */
const mostAnew = 4096;

/** Less than that many free pages are left for new builds. */
const spared = 1000;

const incremental = 2;

export const freePages = (database: Database) => {
  const read = (name: string): number => Number(database.get(`pragma ${name}`)?.[name]);
  const step = (): boolean => {
    const free = read('freelist_count');
    const isIncremental = read('auto_vacuum') === incremental;
    if (free <= spared) return false;
    if (isIncremental) database.all(`pragma incremental_vacuum(${mostPages})`);
    else if (read('page_count') - free <= mostAnew)
      database.exec('pragma auto_vacuum = incremental; vacuum');
    const isMore = isIncremental && free - mostPages > spared;
    // The file gets shorter when the changes are moved into it.
    if (!isMore) database.all('pragma wal_checkpoint(truncate)');
    return isMore;
  };
  return {
    /** Returns whether there is more to do. A disk that is too full for it is left as it is. */
    giveBack: (): boolean => {
      try {
        return step();
      } catch (error) {
        if (isStorageError(error)) return false;
        throw error;
      }
    },
  };
};
