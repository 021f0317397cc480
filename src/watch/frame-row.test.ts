import { expect, test } from 'vitest';
import { clockTime } from './frame-row.ts';

test.each([
  [-1, '0:00'],
  [999, '0:00'],
  [17_000, '0:17'],
  [725_000, '12:05'],
  [3_599_999, '59:59'],
  [3_723_000, '1:02:03'],
  [360_000_000, '100:00:00'],
])('%i ms as a stopwatch shows them: %s', (ms, text) => {
  expect(clockTime(ms)).toBe(text);
});
