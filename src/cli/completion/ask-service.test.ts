import { expect, test } from 'vitest';
import type { CachedValues, ValueCache } from '../../cache/value-cache.ts';
import { askService, type Question, type Value } from './ask-service.ts';

const question: Question = {
  ...({ api: 'rest', path: ['v2', 'builds'], freshFor: 10_000 } as const),
  pick: (response) => response as readonly Value[],
};
const builds = (...texts: string[]): Value[] => texts.map((text) => ({ text, summary: '' }));

/** A service whose builds change, an in-memory cache and a clock. */
function world() {
  const state = { now: 1_000_000, requests: 0, response: builds('1') as Value[] | undefined };
  const files = new Map<string, CachedValues>();
  const cache: ValueCache = {
    read: (name) => Promise.resolve(files.get(name)),
    write: (name, values) => Promise.resolve(void files.set(name, values)),
  };
  const ask = async (typed = ''): Promise<string[]> => {
    const values = await askService(question, typed, {
      cache,
      clock: { now: () => state.now, sleep: () => Promise.resolve() },
      request: () => {
        state.requests++;
        return state.response ? Promise.resolve(state.response) : Promise.reject(new Error('no'));
      },
    });
    return values.map(({ text }) => text);
  };
  return { state, ask };
}

test('uses fresh entries and requests stale ones again', async () => {
  const { state, ask } = world();
  await ask();
  state.response = builds('2');
  state.now += 9999;
  expect([await ask(), state.requests]).toEqual([['1'], 1]);
  state.now += 1;
  expect([await ask(), state.requests]).toEqual([['2'], 2]);
});

test('requests entries again if none matches', async () => {
  const { state, ask } = world();
  await ask();
  state.response = builds('1', '2');
  expect([await ask('2'), state.requests]).toEqual([['1', '2'], 2]);
});

test('uses stale entries if the service fails, and does not retry for a while', async () => {
  const { state, ask } = world();
  await ask();
  state.response = undefined;
  state.now += 60_000;
  expect([await ask(), await ask(), state.requests]).toEqual([['1'], ['1'], 2]);
  state.now += 10_000;
  state.response = builds('2');
  expect([await ask(), state.requests]).toEqual([['2'], 3]);
});

test('remembers a failure even without entries', async () => {
  const { state, ask } = world();
  state.response = undefined;
  expect([await ask(), await ask(), state.requests]).toEqual([[], [], 1]);
});

test('works without a usable cache', async () => {
  const cache: ValueCache = {
    read: () => Promise.resolve(undefined),
    write: () => Promise.reject(new Error('full')),
  };
  const clock = { now: () => 0, sleep: () => Promise.resolve() };
  const request = () => Promise.resolve(builds('1'));
  expect(await askService(question, '', { cache, clock, request })).toEqual(builds('1'));
});
