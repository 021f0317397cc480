import { chmodSync } from 'node:fs';
import { CictlError } from '../errors.ts';
import { makeFolder } from '../make-folder.ts';
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

/** What the system or SQLite refuses, in the user's terms; other errors are left as they are. */
export function unusable(dataDir: string, cause: unknown): unknown {
  if (!(cause instanceof Error) || !('code' in cause)) return cause;
  const isDamaged = cause.code === 'SQLITE_NOTADB' || cause.code === 'SQLITE_CORRUPT';
  return new CictlError('machine', `cannot use the data folder ${dataDir}: ${cause.message}`, {
    ...(isDamaged && { hint: 'cictl local reset' }),
    cause,
  });
}
