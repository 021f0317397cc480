/**
 * SQLite of Node 24 and later with the part of libsql's face that is used here. The single executable has
 * it in place of the package, whose native addon it cannot carry.
 */
import { createRequire } from 'node:module';
import type { SqliteFile, SqliteOptions, SqliteStatement } from './sqlite.ts';

/** As Node has it; its types are not those of the oldest Node that is supported. */
interface DatabaseSync {
  readonly isOpen: boolean;
  readonly isTransaction: boolean;
  exec(sql: string): void;
  prepare(sql: string): NodeStatement;
  close(): void;
}
type NodeStatement = Readonly<Record<'run' | 'get' | 'all', (...values: unknown[]) => unknown>>;
interface Module {
  readonly DatabaseSync: new (file: string, options: SqliteOptions) => DatabaseSync;
}

/** Throws Node's own error where it has no SQLite. */
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

/** Node gives SQLite's codes as numbers; those of libsql are their names. */
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

/** By the lower byte of a code; the others say more of the same. */
const names: Readonly<Record<number, string>> = {
  ...{ 3: 'PERM', 4: 'ABORT', 5: 'BUSY', 6: 'LOCKED', 7: 'NOMEM', 8: 'READONLY', 9: 'INTERRUPT' },
  ...{ 10: 'IOERR', 11: 'CORRUPT', 13: 'FULL', 14: 'CANTOPEN', 15: 'PROTOCOL', 17: 'SCHEMA' },
  ...{ 18: 'TOOBIG', 19: 'CONSTRAINT', 20: 'MISMATCH', 21: 'MISUSE', 26: 'NOTADB' },
};
