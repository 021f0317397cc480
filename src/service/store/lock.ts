/** One service at a time for a data folder. */
import { truncateSync } from 'node:fs';
import { join } from 'node:path';
import { FolderInUseError } from '../state.ts';
import { makeFilePrivate } from './files.ts';
import { loadSqlite } from './sqlite.ts';

/**
 * Takes the folder until the returned function is called or the process ends, however it ends:
 * the lock is SQLite's own, taken by an open transaction, so a killed service leaves none behind.
 * Throws `FolderInUseError` when another service has it.
 */
export function lockFolder(dataDir: string): () => void {
  const file = join(dataDir, 'service.lock');
  makeFilePrivate(file);
  try {
    return lockFile(file);
  } catch (cause) {
    const { code } = cause as { code?: unknown };
    if (code === 'SQLITE_BUSY') throw new FolderInUseError(dataDir, cause);
    if (code !== 'SQLITE_NOTADB') throw cause;
    // Nothing is kept in it, and nobody has it locked: else it would not have been read.
    truncateSync(file);
    return lockFile(file);
  }
}

function lockFile(file: string): () => void {
  const Sqlite = loadSqlite();
  const database = new Sqlite(file, { timeout: 0 });
  try {
    database.exec('begin exclusive');
  } catch (error) {
    database.close();
    throw error;
  }
  return () => {
    database.exec('rollback');
    database.close();
  };
}
