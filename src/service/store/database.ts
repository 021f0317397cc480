/**
 * A small synchronous interface to SQLite that avoids the pitfalls of libsql:
 *
 * - A single `null` is mistaken for an object of named values, so values are passed as an array.
 * - A boolean aborts the process, so `Value` excludes booleans.
 * - Closing does not release the file while there are prepared statements, so `lock.ts` uses none.
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
  /** Runs one or more statements that have no placeholders. */
  exec(sql: string): void;
  /** Rolls back if `action` throws. A nested transaction is part of the outer one. */
  transaction<T>(action: () => T): T;
  /** Whether a transaction is open. */
  isOpen(): boolean;
  close(): void;
}

/**
 * Because IDs are random, writes affect pages throughout the file. Therefore 64 MB are cached, and
 * the write-ahead log may grow to 16 MB before a checkpoint.
 */
const settings = `
  pragma journal_mode = wal; pragma synchronous = normal; pragma foreign_keys = on;
  pragma cache_size = -65536; pragma wal_autocheckpoint = 4000;
`;

/**
 * In milliseconds. After the previous service has unlocked the directory, its database may stay
 * locked until its statements are garbage-collected.
 */
const longestClosing = 10_000;

/** Opens or creates the file. The data directory must be locked by this process. */
export function openDatabase(file: string, Driver: Sqlite = loadSqlite()): Database {
  makeFilePrivate(file);
  const database = new Driver(file, { timeout: longestClosing });
  // Only for new files: in an existing file this has no effect (see `freePages`), and a corrupt
  // file must not be written to.
  if (statSync(file).size === 0) database.exec('pragma auto_vacuum = incremental');
  database.exec(settings);
  // From now on, only another program could hold a lock. Requests must not wait for it.
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

/** If the disk is full, SQLite has already rolled back the transaction. */
function rollBack(database: SqliteFile): void {
  if (database.inTransaction) database.exec('rollback');
}

/** Whether a write failed because of the disk or database, in which case a retry may succeed. */
export const isStorageError = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_');

/** Number of pages that are moved per step. A step takes about ten milliseconds. */
const pagesPerStep = 500;

/** A database of up to this many pages (16 MB) can be rewritten in a tenth of a second. */
const maxRewrite = 4096;

/** Number of free pages that are kept for new builds. */
const sparePages = 1000;

/**
 * Returns the space of removed records to the file system, a few pages at a time. This is not
 * possible if an earlier version of cictl created the database. Then a small database is rewritten,
 * and a large database keeps its size.
 */
export const freePages = (database: Database) => {
  const read = (name: string): number => Number(database.get(`pragma ${name}`)?.[name]);
  const step = (): boolean => {
    const free = read('freelist_count');
    const isIncremental = read('auto_vacuum') === 2;
    if (free <= sparePages) return false;
    if (isIncremental) database.all(`pragma incremental_vacuum(${pagesPerStep})`);
    else if (read('page_count') - free <= maxRewrite)
      database.exec('pragma auto_vacuum = incremental; vacuum');
    const isMore = isIncremental && free - pagesPerStep > sparePages;
    // The file only shrinks at a checkpoint.
    if (!isMore) database.all('pragma wal_checkpoint(truncate)');
    return isMore;
  };
  return {
    /** Returns whether there is more to do. Does nothing if the disk is full. */
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
