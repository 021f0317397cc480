/** An empty database with the current schema. Copying it is ten times as fast as creating one. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../src/service/store/database.ts';
import { storeOn } from '../../src/service/store/store.ts';

let template: Uint8Array | undefined;

/** Copies an empty database into a data directory that has none. */
export function addEmptyDatabase(dataDir: string): void {
  const file = join(dataDir, 'service.db');
  if (existsSync(file)) return;
  mkdirSync(dataDir, { recursive: true });
  template ??= createTemplate();
  writeFileSync(file, template, { mode: 0o600 });
}

function createTemplate(): Uint8Array {
  const folder = mkdtempSync(join(tmpdir(), 'cictl-template-'));
  try {
    const file = join(folder, 'service.db');
    const database = openDatabase(file);
    storeOn(database);
    database.exec('pragma wal_checkpoint(truncate)');
    database.close();
    return readFileSync(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
