import { expect, test } from 'vitest';
import { spanText } from './span-text.ts';

test.each([
  [-5000, '0.0s'],
  [0, '0.0s'],
  [340, '0.3s'],
  [1000, '1s'],
  [59_999, '59s'],
  [60_000, '1m 0s'],
  [123_456, '2m 3s'],
  [3_600_000, '1h 0m'],
  [100_000_000, '27h 46m'],
])('%d ms as %s', (milliseconds, expected) => {
  expect(spanText(milliseconds)).toBe(expected);
});
