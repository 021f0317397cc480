import { expect, test } from 'vitest';
import { createLimit } from './few-at-once.ts';

test('no more than so many run at once, and all of them in their order', async () => {
  const limit = createLimit(2);
  const started: number[] = [];
  const ways: (() => void)[] = [];
  const run = (number: number): Promise<number> =>
    limit(async () => {
      started.push(number);
      await new Promise<void>((resolve) => ways.push(resolve));
      if (number === 1) throw new Error('one');
      return number;
    });
  const all = Promise.allSettled([run(0), run(1), run(2), run(3)]);
  expect(started).toEqual([0, 1]);
  for (const way of [1, 0, 2, 3]) {
    await expect.poll(() => ways.length).toBeGreaterThan(way);
    ways[way]?.();
    await Promise.resolve();
  }
  expect((await all).map(({ status }) => status)).toEqual([
    ...['fulfilled', 'rejected', 'fulfilled', 'fulfilled'],
  ]);
  expect(started).toEqual([0, 1, 2, 3]);
});
