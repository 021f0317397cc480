import { createRequire } from 'node:module';
import { CictlError } from '../../errors.ts';

/** The part of an SQLite driver that the service uses. */
export interface SqliteFile {
  readonly inTransaction: boolean;
  exec(sql: string): void;
  prepare(sql: string): SqliteStatement;
  close(): void;
}

export interface SqliteStatement {
  run(values: unknown[]): unknown;
  get(values: unknown[]): unknown;
  all(values: unknown[]): unknown[];
}

export interface SqliteOptions {
  /** Milliseconds to wait while another process holds a lock. */
  readonly timeout?: number;
}

export type Sqlite = new (file: string, options?: SqliteOptions) => SqliteFile;

/**
 * Loads libsql. Throws a `machine` error if its native addon is missing, built for another
 * platform, or forbidden (`--no-addons`).
 */
export function loadSqlite(): Sqlite {
  try {
    return createRequire(import.meta.url)('libsql') as Sqlite;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.split('\n')[0] : String(cause);
    const message = `cannot load the package libsql, which the local service needs: ${reason}`;
    throw new CictlError('machine', message, { cause, hint: hintFor(cause) });
  }
}

const hintFor = (cause: unknown): string =>
  (cause as NodeJS.ErrnoException).code === 'ERR_DLOPEN_DISABLED'
    ? 'start Node without --no-addons (also check NODE_OPTIONS)'
    : 'reinstall cictl with its optional dependencies (without --omit=optional)';
