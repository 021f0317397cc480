import { expect, test } from 'vitest';
import { connectionLimit } from './connection-limit.ts';

test.each([
  [1, 1_048_576, 20_000],
  [0.75, 1_048_576, 20_000],
  [1, 20_000, 19_000],
  [0.25, 20_000, 4750],
  [1, 1024, 512],
])('a share of %d of %d files are %d connections', (share, files, expected) => {
  expect(connectionLimit(share, files)).toBe(expected);
});

test('this system allows some', () => {
  expect(connectionLimit(1)).toBeGreaterThan(100);
});
