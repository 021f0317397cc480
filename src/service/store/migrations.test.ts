import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { scopes } from '../domain/permissions.ts';
import { accounts } from './tables/accounts.ts';
import { openDatabase, type Database } from './database.ts';
import { migrate } from './migrations.ts';

/** A database of the first release. */
function useOld(): Database {
  const folder = mkdtempSync(join(tmpdir(), 'cictl-migrations-'));
  const database = openDatabase(join(folder, 'service.db'));
  onTestFinished(() => {
    database.close();
    rmSync(folder, { recursive: true });
  });
  migrate(database, 1);
  return database;
}

const all =
  'read_builds write_builds read_build_logs write_build_logs read_job_env read_rules write_rules read_organizations graphql'.split(
    ' ',
  );

const token = (id: string, kind: 'user' | 'job' | 'agent', given: readonly string[]) => ({
  id,
  kind,
  userId: null,
  organizationIds: [],
  scopes: given,
  description: id,
  createdAt: 0,
  buildId: null,
  jobId: null,
});

test('a token with all old scopes gets all current ones; others keep theirs', () => {
  const database = useOld();
  const { addToken, token: find } = accounts(database);
  addToken(token('all', 'user', all), 'a');
  addToken(token('turned', 'user', [...all].reverse()), 'b');
  addToken(token('some', 'user', all.slice(1)), 'c');
  addToken(token('agent', 'agent', []), 'd');
  migrate(database);
  expect(find('a')).toEqual(token('all', 'user', scopes));
  expect(find('b')).toEqual(token('turned', 'user', scopes));
  expect(find('c')).toEqual(token('some', 'user', all.slice(1)));
  expect(find('d')).toEqual(token('agent', 'agent', []));
});

test('a token granted those nine later keeps them', () => {
  const database = useOld();
  migrate(database);
  const { addToken, token: find } = accounts(database);
  addToken(token('nine', 'user', all), 'a');
  migrate(database);
  expect(find('a')?.scopes).toEqual(all);
});
