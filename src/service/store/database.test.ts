import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { isStorageError, openDatabase, type Database, freePages } from './database.ts';
import { NodeSqlite } from './node-sqlite.ts';
import { loadSqlite, type Sqlite } from './sqlite.ts';

function useDatabase(driver: Sqlite): Database {
  const folder = useFolder();
  const database = openDatabase(join(folder, 'service.db'), driver);
  onTestFinished(() => {
    database.close();
  });
  database.exec('create table lines (text)');
  return database;
}

function useFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cictl-database-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** A program that locks a file until `FILE.enough` exists. */
const lockUntilAsked = `
  const file = process.argv[1];
  const database = new (require('libsql'))(file);
  database.exec('begin exclusive');
  console.log('locked');
  const timer = setInterval(() => {
    if (!require('fs').existsSync(file + '.enough')) return;
    clearInterval(timer);
    database.exec('rollback');
    database.close();
  }, 50);
`;

const thrownBy = (action: () => void): unknown => {
  try {
    action();
  } catch (error) {
    return error;
  }
  return undefined;
};

/** Node 20 has no SQLite of its own. */
const hasOwn = Number.parseInt(process.versions.node) >= 24;
const drivers = [
  { name: 'libsql', driver: loadSqlite() },
  ...(hasOwn ? [{ name: 'node:sqlite', driver: NodeSqlite }] : []),
];

describe.each(drivers)('$name', ({ driver }) => {
  test('reports a full disk as such and rolls the transaction back', () => {
    const database = useDatabase(driver);
    database.exec('pragma max_page_count = 8');
    const error = thrownBy(() =>
      database.transaction(() => {
        database.run('insert into lines values (?)', 'kept by nobody');
        database.run('insert into lines values (?)', 'x'.repeat(100_000));
      }),
    );
    expect([isStorageError(error), String(error)]).toEqual([true, expect.stringContaining('full')]);
    expect(database.all('select * from lines')).toEqual([]);
    database.exec('pragma max_page_count = 1000');
    database.transaction(() => database.run('insert into lines values (?)', 'kept'));
    expect(database.all('select text from lines')).toMatchObject([{ text: 'kept' }]);
  });

  test('rethrows an error of the action itself', () => {
    const database = useDatabase(driver);
    const error = thrownBy(() =>
      database.transaction(() => {
        database.run('insert into lines values (?)', 'one');
        throw new Error('no');
      }),
    );
    expect([isStorageError(error), String(error)]).toEqual([false, 'Error: no']);
    expect(database.all('select * from lines')).toEqual([]);
  });

  test('values are read as written, and a missing row is undefined', () => {
    const database = useDatabase(driver);
    database.exec('create table one (a, b, c)');
    database.run('insert into one values (?, ?, ?)', null, 1.5, 2 ** 53 - 1);
    const row = { a: null, b: 1.5, c: 2 ** 53 - 1 };
    expect(database.get('select a, b, c from one where a is ?', null)).toMatchObject(row);
    expect(database.all('select a, b, c from one')).toMatchObject([row]);
    expect(database.get('select a from one where b = ?', 7)).toBeUndefined();
  });

  test('a nested transaction belongs to the outer one', () => {
    const database = useDatabase(driver);
    expect(database.isOpen()).toBe(false);
    database.transaction(() => {
      database.transaction(() => database.run('insert into lines values (?)', 'inner'));
      expect(database.isOpen()).toBe(true);
    });
    expect([database.isOpen(), database.all('select text from lines').length]).toEqual([false, 1]);
  });

  test('reports a file that is not a database, with its error code', () => {
    const file = join(useFolder(), 'service.db');
    writeFileSync(file, 'no database at all'.repeat(100));
    expect(thrownBy(() => openDatabase(file, driver))).toMatchObject({ code: 'SQLITE_NOTADB' });
  });

  test('waits at start for a database that another process closes, but not later', async () => {
    const file = join(useFolder(), 'service.db');
    const other = spawn(process.execPath, ['-e', lockUntilAsked, file], {
      cwd: import.meta.dirname,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(other.stdout, 'data');
    writeFileSync(`${file}.enough`, '');
    const database = openDatabase(file, driver);
    expect(database.get('pragma busy_timeout')).toMatchObject({ timeout: 0 });
    database.close();
    await once(other, 'exit');
  });

  test('reports a locked database', () => {
    const file = join(useFolder(), 'service.lock');
    const [one, other] = [new driver(file, { timeout: 0 }), new driver(file, { timeout: 0 })];
    one.exec('begin exclusive');
    expect(thrownBy(() => other.exec('begin exclusive'))).toMatchObject({ code: 'SQLITE_BUSY' });
    other.close();
    one.exec('rollback');
    one.close();
  });
});

/** A database with 12 MB of deleted records, of the current or the previous version. */
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

test.each(['new', 'old'] as const)('gives space back to the disk: %s file', (version) => {
  const { database, size } = useEmptied(version);
  expect(size()).toBeGreaterThan(12_000_000);
  const { giveBack } = freePages(database);
  let steps = 1;
  while (giveBack()) steps++;
  expect(size()).toBeLessThan(6_000_000);
  expect(steps > 1).toBe(version === 'new');
  expect(database.all('select a from others').map(({ a }) => a)).toEqual([7]);
});
