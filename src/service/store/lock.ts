import { truncateSync } from 'node:fs';
import { join } from 'node:path';
import { FolderInUseError } from '../state.ts';
import { makeFilePrivate } from './files.ts';
import { loadSqlite } from './sqlite.ts';

/**
 * Locks the data directory until the returned function is called or the process exits. The lock is
 * an open SQLite transaction, so a killed service leaves no lock behind. Throws `FolderInUseError`
 * if another service holds the lock.
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
    // The lock file is corrupt, so no process holds the lock. The file contains no data to lose.
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
