import { expect, test } from 'vitest';
import { iso } from './scalars.ts';

test('times are as JavaScript writes them, in whatever order they come', () => {
  const day = 86_400_000;
  const instants = [0, 1, -1, day - 1, day, -day, 999, 1_431_205_559_874, 4e12, -2e12];
  for (const at of [...instants, ...instants.toReversed()])
    expect(iso(at)).toBe(new Date(at).toISOString());
});

test('what is no time is refused', () => {
  expect(() => iso(NaN)).toThrow(RangeError);
});
