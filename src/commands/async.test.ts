import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { mapConcurrent } from './async.ts';

test.each([
  [0, 0],
  [3, 3],
  [20, 4],
])('for %i items, runs at most %i at once', async (count, max) => {
  const items = Array.from({ length: count }, (_, at) => at);
  const seen: number[] = [];
  let running = 0;
  const results = await mapConcurrent(items, 4, async (item) => {
    seen.push(++running);
    // The first of every four takes longest, but results keep the order of the items.
    for (let left = 4 - (item % 4); left > 0; left--) await setImmediate();
    running -= 1;
    return item * 2;
  });
  expect(Math.max(0, ...seen)).toBe(max);
  expect(results).toEqual(items.map((item) => item * 2));
});

test('rejects if one fails', async () => {
  const task = (item: number) =>
    item === 2 ? Promise.reject(new Error('two')) : Promise.resolve();
  await expect(mapConcurrent([1, 2, 3], 2, task)).rejects.toThrow('two');
});
