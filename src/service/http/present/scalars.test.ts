import { expect, test } from 'vitest';
import { iso } from './scalars.ts';

test('formats times as JavaScript does, in any order', () => {
  const day = 86_400_000;
  const instants = [0, 1, -1, day - 1, day, -day, 999, 1_431_205_559_874, 4e12, -2e12];
  for (const at of [...instants, ...instants.toReversed()])
    expect(iso(at)).toBe(new Date(at).toISOString());
});

test('rejects an invalid time', () => {
  expect(() => iso(NaN)).toThrow(RangeError);
});
