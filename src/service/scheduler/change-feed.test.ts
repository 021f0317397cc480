import { expect, test } from 'vitest';
import { createChangeFeed } from './change-feed.ts';

test('reports the jobs changed since a version, each once', () => {
  const feed = createChangeFeed(() => 1000);
  const { version, jobIds } = feed.since('build', null);
  expect(jobIds).toBeNull();
  expect(feed.since('build', version)).toEqual({ version, jobIds: [] });
  feed.note('build', ['a', 'b']);
  feed.note('build', ['a']);
  feed.note('other', ['c']);
  const next = feed.since('build', version);
  expect(next.jobIds).toEqual(['a', 'b']);
  expect(feed.since('build', next.version).jobIds).toEqual([]);
  expect(feed.since('build', version).jobIds).toEqual(['a', 'b']);
});

test('reports everything if steps or jobs were added or removed', () => {
  const feed = createChangeFeed(() => 1000);
  const { version } = feed.since('build', null);
  feed.note('build', null);
  const { version: later, jobIds } = feed.since('build', version);
  expect(jobIds).toBeNull();
  expect(feed.since('build', later).jobIds).toEqual([]);
});

test('ignores a version from an earlier or later service', () => {
  const feed = createChangeFeed(() => 1000);
  expect(feed.since('build', 999).jobIds).toBeNull();
  expect(feed.since('build', 1001).jobIds).toBeNull();
});

test('wakes waiting readers at the next change of the build', async () => {
  const feed = createChangeFeed(() => 1000);
  const woken: string[] = [];
  feed.since('build', null);
  const next = feed.next('build', 2 ** 30).then(() => woken.push('woken'));
  feed.note('other', ['a']);
  await Promise.resolve();
  expect(woken).toEqual([]);
  feed.note('build', ['a']);
  await next;
  await feed.next('build', 0);
});

test('drops changes that were not requested for a minute', () => {
  let now = 1000;
  const feed = createChangeFeed(() => now);
  const { version } = feed.since('build', null);
  now += 60_001;
  feed.note('build', ['a']);
  expect(feed.since('build', version).jobIds).toBeNull();
});

test('frees the memory of builds that are no longer read', () => {
  let now = 0;
  const feed = createChangeFeed(() => now);
  const seen = feed.since('build', null).version;
  const woken = feed.next('watched', 2 ** 30);
  const watched = feed.since('watched', null).version;
  now += 61_000;
  feed.since('other', null);
  // A new record has no earlier version.
  expect(feed.since('build', seen).jobIds).toBeNull();
  // Someone is waiting for it.
  feed.note('watched', ['a']);
  expect(feed.since('watched', watched).jobIds).toEqual(['a']);
  return woken;
});
