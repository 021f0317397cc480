import { expect, test } from 'vitest';
import type { Tree } from '../domain/records.ts';
import { createTreeCache } from './caches.ts';
import { useManyBuilds } from '../../../test/support/many-builds.ts';

const tree = (id: string, finishedAt: number | null, jobs = 1): Tree =>
  ({ build: { id, finishedAt }, jobs: Array(jobs).fill({}) }) as unknown as Tree;

test('keeps unfinished builds, and the most recently stored of the others', () => {
  const cache = createTreeCache(3);
  cache.put(tree('going', null, 10));
  for (const id of ['a', 'b', 'c', 'd']) cache.put(tree(id, 0));
  const known = ['going', 'a', 'b', 'c', 'd'].filter((id) => cache.get(id) !== undefined);
  expect(known).toEqual(['going', 'b', 'c', 'd']);
});

test('a finished build makes room like the others', () => {
  const cache = createTreeCache(3);
  cache.put(tree('a', null, 3));
  cache.put(tree('a', 0, 3));
  cache.put(tree('b', 0, 3));
  expect([cache.get('a'), cache.get('b')?.build.id]).toEqual([undefined, 'b']);
});

test('a failed write leaves what was written before', () => {
  const cache = createTreeCache();
  cache.put(tree('a', null));
  cache.close(true);
  cache.put(tree('b', null));
  cache.close(false);
  expect([cache.get('a')?.build.id, cache.get('b')]).toEqual(['a', undefined]);
});

test('a lookup returns what was written last', () => {
  const { store } = useManyBuilds(0);
  const find = () => store.pipelines.find('o0', 'p0');
  const found = find();
  if (found === undefined) throw new Error('the pipeline is not there');
  store.pipelines.update({ ...found, name: 'other' });
  expect([find()?.name, store.pipelines.byId('p0')?.name]).toEqual(['other', 'other']);
  store.pipelines.remove('p0');
  expect([find(), store.pipelines.byId('p0')]).toEqual([undefined, undefined]);
});

test('a failed write is not remembered', () => {
  const { store } = useManyBuilds(0);
  const found = store.pipelines.byId('p0');
  const undo = new Error('not this time');
  const change = () =>
    store.transaction(() => {
      if (found !== undefined) store.pipelines.update({ ...found, name: 'other' });
      expect(store.pipelines.byId('p0')?.name).toBe('other');
      throw undo;
    });
  expect(change).toThrow(undo);
  expect(store.pipelines.byId('p0')?.name).toBe('p0');
});

test('forgets a revoked token', () => {
  const { store } = useManyBuilds(0);
  const plain = { userId: null, organizationIds: [], scopes: [], buildId: null, jobId: null };
  const token = { id: 't', kind: 'user', description: '', createdAt: 0, ...plain } as const;
  store.accounts.addToken(token, 'hash');
  expect(store.accounts.token('hash')).toEqual(token);
  store.accounts.removeToken('t');
  expect(store.accounts.token('hash')).toBeUndefined();
});

test('finds a value that was missing at first', () => {
  const { store } = useManyBuilds(0);
  expect(store.accounts.user('u')).toBeUndefined();
  store.accounts.addUser({ id: 'u', name: 'Ada', email: 'a@example.com', createdAt: 0 });
  expect(store.accounts.user('u')?.name).toBe('Ada');
});
