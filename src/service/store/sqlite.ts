import { createRequire } from 'node:module';
import type Libsql from 'libsql';
import { CictlError } from '../../errors.ts';

/**
 * The package of SQLite, loaded by the first who opens a database: its native addon may be missing,
 * made for another machine, or not allowed (`--no-addons`). Throws `CictlError` of kind `machine`.
 */
export function loadSqlite(): typeof Libsql {
  try {
    return createRequire(import.meta.url)('libsql') as typeof Libsql;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.split('\n')[0] : String(cause);
    const message = `the package libsql, which the local service needs, cannot be loaded: ${reason}`;
    throw new CictlError('machine', message, { cause, hint: hintFor(cause) });
  }
}

const hintFor = (cause: unknown): string =>
  (cause as NodeJS.ErrnoException).code === 'ERR_DLOPEN_DISABLED'
    ? 'start Node without --no-addons; NODE_OPTIONS may hold it'
    : 'install cictl again with its optional packages, without --omit=optional';
