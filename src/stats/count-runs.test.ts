import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSamples } from './count-runs.ts';
import { fuzzed } from '../../test/support/fuzz.ts';

const samplesOf = (values: readonly number[]) => {
  const samples = createSamples();
  values.forEach((value) => samples.add(value));
  return samples;
};

test.each([
  [[], 0.5, null],
  [[7], 0.5, 7],
  [[7], 0.9, 7],
  [[1, 3], 0.5, 2],
  [[3, 1, 2], 0.5, 2],
  [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], 0.9, 10],
  [[0.1, 0.2], 0.5, 0.15],
])('for %j, the quantile %d is %s', (values, share, expected) => {
  expect(samplesOf(values).quantile(share)).toBe(expected);
});

const seconds = fc.array(fc.integer({ min: 0, max: 10_000_000 }).map((ms) => ms / 1000));

test('a quantile ignores order, lies within the values and grows with its share', () => {
  fc.assert(
    fc.property(seconds, fc.double({ min: 0, max: 1, noNaN: true }), (values, share) => {
      const found = samplesOf(values).quantile(share);
      expect(samplesOf(values.toReversed()).quantile(share)).toBe(found);
      if (found === null) {
        expect(values).toEqual([]);
        return;
      }
      expect(found).toBeGreaterThanOrEqual(Math.min(...values));
      expect(found).toBeLessThanOrEqual(samplesOf(values).quantile(1) ?? NaN);
      const below = values.filter((value) => value <= found + 0.001).length;
      expect(below).toBeGreaterThanOrEqual(Math.floor(share * (values.length - 1)) + 1);
    }),
    fuzzed(300),
  );
});

test.each([
  [[], 3, []],
  [[5, 4], 3, [4, 5]],
  [[6, 5, 4, 3, 2, 1], 3, [1.5, 3.5, 5.5]],
  [[4, 3, 2, 1, 0], 2, [0.5, 3]],
])('%j drawn with %d points is %j', (values, points, expected) => {
  expect(samplesOf(values).trend(points)).toEqual(expected);
});

test('a line of means', () => {
  expect(samplesOf([1, 1, 0, 1, 0, 0]).trend(2, 'mean')).toEqual([0.333, 0.667]);
});

test('a line lies within its values', () => {
  fc.assert(
    fc.property(seconds, fc.integer({ min: 1, max: 30 }), (values, points) => {
      const line = samplesOf(values).trend(points);
      expect(line).toHaveLength(Math.min(points, values.length));
      for (const value of line) {
        expect(value).toBeGreaterThanOrEqual(Math.min(...values));
        expect(value).toBeLessThanOrEqual(Math.max(...values));
      }
    }),
    fuzzed(200),
  );
});
