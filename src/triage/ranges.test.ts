import { expect, test } from 'vitest';
import { inRanges } from './ranges.ts';

const shards = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, at) => `Test ${from + at}/50`);

test.each([
  [['unit'], 'unit'],
  [['unit', 'e2e linux', 'unit'], 'unit, e2e linux'],
  [shards(1, 50), 'Test 1/50 … 50/50'],
  [shards(1, 2), 'Test 1/50, 2/50'],
  [[...shards(11, 14), ...shards(1, 4), 'Test 7/50'], 'Test 1/50 … 4/50, 7/50, 11/50 … 14/50'],
  [['node 18 (1)', 'node 20 (1)', 'lint'], 'node 18 (1), 20 (1), lint'],
  [['node 18 (1)', 'node 20 (2)'], 'node 18 (1), node 20 (2)'],
  [['a 08', 'a 09', 'a 10'], 'a 08 … 10'],
])('shortens the names %j to %j', (names, words) => {
  expect(inRanges(names, 8)).toBe(words);
});

test('counts names after the first few', () => {
  expect(inRanges(['a', 'b', 'c', ...shards(1, 9)], 2)).toBe('a, b and 10 more');
});
