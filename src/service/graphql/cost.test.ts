import { expect, test } from 'vitest';
import { createTurns, mostFields } from './cost.ts';

test('runs pending work in order, as much per turn as fits', async () => {
  const done: (number | 'turn')[] = [];
  const nextTurn = (): Promise<unknown> => Promise.resolve(done.push('turn'));
  const turns = createTurns(nextTurn);
  turns.count(mostFields - 1);
  expect(turns.isOver()).toBe(false);
  turns.count(1);
  expect(turns.isOver()).toBe(true);
  const work = [0, 1, 2, 3, 4].map((index) =>
    turns.next().then(() => {
      done.push(index);
      turns.count(mostFields / 2);
    }),
  );
  await Promise.all(work);
  expect(done).toEqual(['turn', 0, 1, 'turn', 2, 3, 'turn', 4]);
  await Promise.resolve();
});
