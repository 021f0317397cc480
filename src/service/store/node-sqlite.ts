/**
 * Node's own SQLite (Node 24 and later) with the interface of libsql. It is used by the single
 * executable, which cannot contain the native addon of libsql.
 */
import { createRequire } from 'node:module';
import type { SqliteFile, SqliteOptions, SqliteStatement } from './sqlite.ts';

/** Declared here because the oldest supported version of Node has no types for it. */
interface DatabaseSync {
  readonly isOpen: boolean;
  readonly isTransaction: boolean;
  exec(sql: string): void;
  prepare(sql: string): Readonly<Record<'run' | 'get' | 'all', (...values: unknown[]) => unknown>>;
  close(): void;
}

interface Module {
  readonly DatabaseSync: new (file: string, options: SqliteOptions) => DatabaseSync;
}

/** If Node has no SQLite, the constructor throws Node's error. */
export class NodeSqlite implements SqliteFile {
  readonly #database: DatabaseSync;

  constructor(file: string, options: SqliteOptions = {}) {
    const { DatabaseSync } = createRequire(import.meta.url)('node:sqlite') as Module;
    this.#database = withCode(() => new DatabaseSync(file, options));
  }

  get inTransaction(): boolean {
    return this.#database.isTransaction;
  }

  exec(sql: string): void {
    withCode(() => this.#database.exec(sql));
  }

  prepare(sql: string): SqliteStatement {
    const statement = withCode(() => this.#database.prepare(sql));
    return {
      run: (values) => withCode(() => statement.run(...values)),
      get: (values) => withCode(() => statement.get(...values)),
      all: (values) => withCode(() => statement.all(...values) as unknown[]),
    };
  }

  close(): void {
    if (this.#database.isOpen) this.#database.close();
  }
}

/** Adds the name of the error code to errors, as libsql does. Node only provides the number. */
function withCode<T>(action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (error instanceof Error && 'errcode' in error) {
      const name = names[Number(error.errcode) & 0xff] ?? 'ERROR';
      Object.assign(error, { code: `SQLITE_${name}` });
    }
    throw error;
  }
}

/** The keys are the low bytes of error codes. The high bytes only add details. */
const names: Readonly<Record<number, string>> = {
  ...{ 3: 'PERM', 4: 'ABORT', 5: 'BUSY', 6: 'LOCKED', 7: 'NOMEM', 8: 'READONLY', 9: 'INTERRUPT' },
  ...{ 10: 'IOERR', 11: 'CORRUPT', 13: 'FULL', 14: 'CANTOPEN', 15: 'PROTOCOL', 17: 'SCHEMA' },
  ...{ 18: 'TOOBIG', 19: 'CONSTRAINT', 20: 'MISMATCH', 21: 'MISUSE', 26: 'NOTADB' },
};
