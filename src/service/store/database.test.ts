import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isStorageError, openDatabase, type Database } from './database.ts';

function useDatabase(): Database {
  const folder = mkdtempSync(join(tmpdir(), 'cictl-database-'));
  const database = openDatabase(join(folder, 'service.db'));
  onTestFinished(() => {
    database.close();
    rmSync(folder, { recursive: true });
  });
  database.exec('create table lines (text)');
  return database;
}

const thrownBy = (action: () => void): unknown => {
  try {
    action();
  } catch (error) {
    return error;
  }
  return undefined;
};

test('a disk that is full is told as such, and nothing of the transaction is kept', () => {
  const database = useDatabase();
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

test('an error of the action itself is thrown as it is', () => {
  const database = useDatabase();
  const error = thrownBy(() =>
    database.transaction(() => {
      database.run('insert into lines values (?)', 'one');
      throw new Error('no');
    }),
  );
  expect([isStorageError(error), String(error)]).toEqual([false, 'Error: no']);
  expect(database.all('select * from lines')).toEqual([]);
});
