import { expect, test } from 'vitest';
import type { Tree } from '../domain/records.ts';
import { createTreeCache } from './tree-cache.ts';

const tree = (id: string, finishedAt: number | null, jobs = 1): Tree =>
  ({ build: { id, finishedAt }, jobs: Array(jobs).fill({}) }) as unknown as Tree;

test('builds that go on stay, and of the others those that were put last', () => {
  const cache = createTreeCache(3);
  cache.put(tree('going', null, 10));
  for (const id of ['a', 'b', 'c', 'd']) cache.put(tree(id, 0));
  const known = ['going', 'a', 'b', 'c', 'd'].filter((id) => cache.get(id) !== undefined);
  expect(known).toEqual(['going', 'b', 'c', 'd']);
});

test('a build that has come to its end makes room as the others do', () => {
  const cache = createTreeCache(3);
  cache.put(tree('a', null, 3));
  cache.put(tree('a', 0, 3));
  cache.put(tree('b', 0, 3));
  expect([cache.get('a'), cache.get('b')?.build.id]).toEqual([undefined, 'b']);
});

test('what could not be written is not known; what was written before is', () => {
  const cache = createTreeCache();
  cache.put(tree('a', null));
  cache.close(true);
  cache.put(tree('b', null));
  cache.close(false);
  expect([cache.get('a')?.build.id, cache.get('b')]).toEqual(['a', undefined]);
});
