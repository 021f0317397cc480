import { expect, test } from 'vitest';
import { createChangeFeed } from './change-feed.ts';

test('who has seen a build hears of the jobs that have changed since, each once', () => {
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

test('where steps or jobs came or went, all is to be seen again', () => {
  const feed = createChangeFeed(() => 1000);
  const { version } = feed.since('build', null);
  feed.note('build', null);
  const { version: later, jobIds } = feed.since('build', version);
  expect(jobIds).toBeNull();
  expect(feed.since('build', later).jobIds).toEqual([]);
});

test('a version of an earlier service, or of a later one, is none', () => {
  const feed = createChangeFeed(() => 1000);
  expect(feed.since('build', 999).jobIds).toBeNull();
  expect(feed.since('build', 1001).jobIds).toBeNull();
});

test('who waits is woken by the next change of that build', async () => {
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

test('what nobody has asked for in a minute is not kept', () => {
  let now = 1000;
  const feed = createChangeFeed(() => now);
  const { version } = feed.since('build', null);
  now += 60_001;
  feed.note('build', ['a']);
  expect(feed.since('build', version).jobIds).toBeNull();
});

test('nothing stays of what nobody has asked for in a while, so that looking at many builds takes no room', () => {
  let now = 0;
  const feed = createChangeFeed(() => now);
  const seen = feed.since('build', null).version;
  const woken = feed.next('watched', 2 ** 30);
  const watched = feed.since('watched', null).version;
  now += 61_000;
  feed.since('other', null);
  // A new record knows no earlier version.
  expect(feed.since('build', seen).jobIds).toBeNull();
  // Who waits is there.
  feed.note('watched', ['a']);
  expect(feed.since('watched', watched).jobIds).toEqual(['a']);
  return woken;
});
