/**
 * A small synchronous face for SQLite, and the only file that knows the traps of libsql.
 *
 * They are: a bound `null` alone counts as an object of names, so values go in as one array; a
 * bound boolean aborts the whole process, so none gets here; rows carry `_metadata`; closing does
 * not let go of the file while statements live, so the folder's lock (`lock.ts`) uses none.
 */
import { statSync } from 'node:fs';
import { makeFilePrivate } from './files.ts';
import { loadSqlite, type Sqlite, type SqliteFile, type SqliteStatement } from './sqlite.ts';

export type Value = string | number | null;
export type Row = Readonly<Record<string, Value>>;

export interface Database {
  run(sql: string, ...values: Value[]): void;
  get(sql: string, ...values: Value[]): Row | undefined;
  all(sql: string, ...values: Value[]): Row[];
  /** Several statements without values. */
  exec(sql: string): void;
  /** All of it or, when `action` throws, nothing. One inside another belongs to the outer one. */
  transaction<T>(action: () => T): T;
  /** Whether a transaction is open. */
  isOpen(): boolean;
  close(): void;
}

/**
 * Ids are written all over the file: 64 MB of it stay in memory, and what was written goes to its
 * place 16 MB at a time.
 */
const settings = `
  pragma journal_mode = wal; pragma synchronous = normal; pragma foreign_keys = on;
  pragma cache_size = -65536; pragma wal_autocheckpoint = 4000;
`;

/**
 * Milliseconds. The service before has given the folder away, but its file closes only when its
 * statements are collected, and is locked meanwhile.
 */
const longestClosing = 10_000;

/** Opens or makes the file; other processes never write to it, since the folder is locked. */
export function openDatabase(file: string, Driver: Sqlite = loadSqlite()): Database {
  makeFilePrivate(file);
  const database = new Driver(file, { timeout: longestClosing });
  // It would write to an existing file, which may be corrupt, and has no effect there (`free-pages.ts`).
  if (statSync(file).size === 0) database.exec('pragma auto_vacuum = incremental');
  database.exec(settings);
  // From here on nobody closes the file for all, and a lock is another program's: no request waits for that.
  database.exec('pragma busy_timeout = 0');
  const statements = new Map<string, SqliteStatement>();
  const prepare = (sql: string): SqliteStatement => {
    const cached = statements.get(sql);
    if (cached !== undefined) return cached;
    const made = database.prepare(sql);
    statements.set(sql, made);
    return made;
  };
  return {
    run: (sql, ...values) => void prepare(sql).run(values),
    get: (sql, ...values) => prepare(sql).get(values) as Row | undefined,
    all: (sql, ...values) => prepare(sql).all(values) as Row[],
    exec: (sql) => {
      database.exec(sql);
    },
    transaction: (action) => transact(database, action),
    isOpen: () => database.inTransaction,
    close: () => {
      statements.clear();
      database.close();
    },
  };
}

function transact<T>(database: SqliteFile, action: () => T): T {
  if (database.inTransaction) return action();
  database.exec('begin immediate');
  try {
    const result = action();
    database.exec('commit');
    return result;
  } catch (error) {
    rollBack(database);
    throw error;
  }
}

/** A full disk has ended the transaction already. */
function rollBack(database: SqliteFile): void {
  if (database.inTransaction) database.exec('rollback');
}

/** Whether the disk or the database would not take it, which may be different in a moment. */
export const isStorageError = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_');

// Gives the space of removed records back to the disk, a few pages at a time. A database of an earlier version cannot
// do that in steps: it is written anew as a whole if little is left of it, and otherwise keeps its size, with room for
// new builds.

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
