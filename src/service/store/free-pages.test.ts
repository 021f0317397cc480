import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from './database.ts';
import { freePages } from './free-pages.ts';
import { loadSqlite } from './sqlite.ts';

/** A file with 12 MB of records that are then removed, of this version or of one before it. */
function useEmptied(version: 'new' | 'old') {
  const folder = mkdtempSync(join(tmpdir(), 'cictl-free-pages-'));
  const file = join(folder, 'service.db');
  if (version === 'old') {
    const Driver = loadSqlite();
    const old = new Driver(file);
    old.exec('create table first (a)');
    old.close();
  }
  const database = openDatabase(file);
  onTestFinished(() => {
    database.close();
    rmSync(folder, { recursive: true });
  });
  database.exec('create table records (a); create table others (a); insert into others values (7)');
  database.exec(
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000)
     insert into records select zeroblob(4000) from n; pragma wal_checkpoint(truncate);
     delete from records`,
  );
  return { database, size: () => statSync(file).size };
}

test.each(['new', 'old'] as const)('gives space back to the disk: a %s file', (version) => {
  const { database, size } = useEmptied(version);
  expect(size()).toBeGreaterThan(12_000_000);
  const { giveBack } = freePages(database);
  let steps = 1;
  while (giveBack()) steps++;
  expect(size()).toBeLessThan(6_000_000);
  expect(steps > 1).toBe(version === 'new');
  expect(database.all('select a from others').map(({ a }) => a)).toEqual([7]);
});
