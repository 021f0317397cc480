/** One service at a time for a data folder. */
import { join } from 'node:path';
import { FolderInUseError } from '../folder-in-use-error.ts';
import { makeFilePrivate } from './private-file.ts';
import { loadSqlite } from './sqlite.ts';

/**
 * Takes the folder until the returned function is called or the process ends, however it ends:
 * the lock is SQLite's own, taken by an open transaction, so a killed service leaves none behind.
 * Throws `FolderHeld` when another service has it.
 */
export function lockFolder(dataDir: string): () => void {
  const Sqlite = loadSqlite();
  const file = join(dataDir, 'service.lock');
  makeFilePrivate(file);
  const database = new Sqlite(file, { timeout: 0 });
  try {
    database.exec('begin exclusive');
  } catch (cause) {
    database.close();
    if ((cause as { code?: unknown }).code === 'SQLITE_BUSY')
      throw new FolderInUseError(dataDir, cause);
    throw cause;
  }
  return () => {
    database.exec('rollback');
    database.close();
  };
}
