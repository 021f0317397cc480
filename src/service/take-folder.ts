import { chmodSync } from 'node:fs';
import { CictlError } from '../errors.ts';
import { makeFolder } from '../common/write-files.ts';
import { lockFolder } from './store/lock.ts';

/**
 * Makes the data folder where it is missing, for its owner alone, and locks it until the function that
 * comes back is called. Throws `CictlError` `machine`.
 */
export async function takeFolder(dataDir: string): Promise<() => void> {
  try {
    await makeFolder(dataDir, 0o700);
    chmodSync(dataDir, 0o700);
    return lockFolder(dataDir);
  } catch (cause) {
    throw unusable(dataDir, cause);
  }
}

/** Explains an error of the system or of SQLite; returns other errors unchanged. */
export function unusable(dataDir: string, cause: unknown): unknown {
  if (!(cause instanceof Error) || !('code' in cause)) return cause;
  const isCorrupt = cause.code === 'SQLITE_NOTADB' || cause.code === 'SQLITE_CORRUPT';
  const message = `cannot use the data directory ${dataDir}: ${cause.message}`;
  return new CictlError('machine', message, {
    ...(isCorrupt && { hint: 'cictl local reset' }),
    cause,
  });
}
