import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { remembered } from './remembered.ts';

test.each([
  ['a pipeline for a day', ['web'], 86_400_000],
  ['the absence of a pipeline for a minute', [], 60_000],
])('remembers %s, for the same token only', async (_, values, lifetime) => {
  const folder = mkdtempSync(join(tmpdir(), 'cictl-remembered-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  let now = 1000;
  const clock = { now: () => now, sleep: () => Promise.resolve() };
  const of = (token: string) => remembered({ CICTL_CACHE_DIR: folder }, clock, token);
  await of('one').put(['key'], values);
  now += lifetime - 1;
  expect(await of('one').get(['key'])).toEqual(values);
  expect(await of('two').get(['key'])).toBeUndefined();
  now += 1;
  expect(await of('one').get(['key'])).toBeUndefined();
});
