import { expect, test } from 'vitest';
import { chooseGroup, readGroups, type Group, readHeaderTimes } from './groups.ts';
import { durationText, instantText } from './format-time.ts';

async function* chunks(text: string, size = Infinity): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size)
    yield await Promise.resolve(bytes.subarray(at, at + size));
}

async function groups(log: string, headerTimes: bigint[] = [], end?: bigint): Promise<Group[]> {
  const found: Group[] = [];
  const times = { headerTimes: () => Promise.resolve(headerTimes), end };
  for await (const group of readGroups(chunks(log), times)) found.push(group);
  return found;
}

const mark = (time: number): string => `\x1b_bk;t=${time}\x07`;
const ms = 1_000_000n;

test('computes times from timestamps in the log', async () => {
  const log = `${mark(1000)}--- a\n${mark(1500)}x\n${mark(4000)}\x1b[1m+++ b\x1b[0m\n${mark(4250)}y\nz\n`;
  expect(await groups(log)).toEqual([
    { name: 'a', start: 1000n * ms, duration: 3000n * ms },
    { name: 'b', start: 4000n * ms, duration: 250n * ms },
  ]);
});

test("uses the service's times, to the nanosecond", async () => {
  const times = [1_700_000_000_123_456_789n, 1_700_000_001_000_000_001n];
  expect(await groups('--- a\nx\n~~~ b\n', times, 1_700_000_002_000_000_001n)).toEqual([
    { name: 'a', start: times[0], duration: 876_543_212n },
    { name: 'b', start: times[1], duration: 1_000_000_000n },
  ]);
});

test('handles missing times and fewer times than headers', async () => {
  expect(await groups('--- a\n--- b\n')).toEqual([{ name: 'a' }, { name: 'b' }]);
  expect(await groups('--- a\n--- b\n', [5n])).toEqual([{ name: 'a', start: 5n }, { name: 'b' }]);
});

test('a clock that went back gives zero, not a negative duration', async () => {
  const log = `${mark(5000)}--- a\n${mark(1000)}--- b\n${mark(1500)}x\n`;
  expect((await groups(log)).map(({ duration }) => duration)).toEqual([0n, 500n * ms]);
});

test('handles a log without groups', async () => {
  expect(await groups('text\n---\n')).toEqual([]);
});

test.each([
  [1_700_000_000_000_000_000n, '2023-11-14T22:13:20.000Z'],
  [1_700_000_000_123_456_789n, '2023-11-14T22:13:20.123456789Z'],
  [-1n, '1969-12-31T23:59:59.999999999Z'],
])('writes %d as %s', (time, text) => {
  expect(instantText(time)).toBe(text);
});

test.each([
  [0n, '0s'],
  [1_250_000_000n, '1.25s'],
  [3_600_000_000_001n, '3600.000000001s'],
  [-500_000_000n, '-0.5s'],
])('writes %d as %s', (time, text) => {
  expect(durationText(time)).toBe(text);
});

const logOf = (names: readonly string[]): string => names.map((name) => `--- ${name}\n`).join('');
const choose = (wanted: string, names: readonly string[]): Promise<string> =>
  chooseGroup(wanted, chunks(logOf(names)));

test.each([
  ['test', ['unit test', 'test', 'lint'], 'test'],
  ['uni', ['unit test', 'test'], 'unit test'],
  ['lint', ['lint', 'lint'], 'lint'],
  ['lin', ['lint', 'lint'], 'lint'],
  ['two', ['One', 'Two'], 'Two'],
  ['DEPLOY', [':rocket: Deploy'], ':rocket: Deploy'],
  ['deploy', ['🚀 Deploy', 'Deploy docs'], '🚀 Deploy'],
  ['❤️ deploy to eu', [':eu: Deploy :rocket: to EU 👩🏽‍🚀'], ':eu: Deploy :rocket: to EU 👩🏽‍🚀'],
  ['dep', ['🚀 Deploy', 'Test'], '🚀 Deploy'],
  ['🚀', ['🚀 Deploy', '🎉'], '🚀 Deploy'],
  ['at 12:30:45', ['at 12:45', 'At 12:30:45'], 'At 12:30:45'],
  ['two', ['Two', 'TWO', 'two'], 'two'],
  ['Test', ['latest', 'Test 1'], 'Test 1'],
])('%j of %j is %j', async (wanted, names, name) => {
  expect(await choose(wanted, names)).toBe(name);
});

test.each([
  ['x', ['a'], 'the log has no section "x"'],
  [':x:', [':a: a'], 'the log has no section ":x:"'],
  ['e', ['test', 'deploy'], 'several sections contain "e": "test", "deploy"'],
  ['two', ['Two', '🚀 two'], 'several sections contain "two": "Two", "🚀 two"'],
])('rejects %j of %j', async (wanted, names, message) => {
  await expect(choose(wanted, names)).rejects.toThrow(message);
});

const big = '1700000000123456789';

test.each([
  [`{"content":"x","header_times":[${big}, 2]}`, [BigInt(big), 2n]],
  [`{ "header_times" : [ ],\n"size":1}`, []],
  [`{"content":"\\"header_times\\":[1]","header_times":[2]}`, [2n]],
  [`{"content":"${'x'.repeat(500)}\\\\","header_times":[3]}`, [3n]],
  ['{"content":"no more"}', []],
  ['not json "', []],
  ['{"header_times":[1]}', [1n]],
  ['{"header_times":[1.5,-4,null,"5",6e1,x7,8x,9]}', [-4n, 9n]],
  ['{"content":"\\",\\"header_times\\":[1],\\"","header_times":[2]}', [2n]],
  ['{"content":"\\\\","header_times":[3]}', [3n]],
  [`{"${'k'.repeat(64)}":"${'v'.repeat(65)}","header_times":[4]}`, [4n]],
])('reads the header times of %j', async (json, times) => {
  for (const size of [1, 2, 7, 1000])
    expect(await readHeaderTimes(chunks(json, size))).toEqual(times);
});
