import { expect, test } from 'vitest';
import { headerSeconds, longestAsked } from './seconds.ts';

test.each<[string | undefined, number | undefined]>([
  [undefined, undefined],
  ['', undefined],
  ['42', 42_000],
  [' 0.5 ', 500],
  ['0', 0],
  ['42, 42', 42_000],
  ['7,42', 42_000],
  ['42, soon', undefined],
  ['-1', undefined],
  ['1e400', undefined],
  ['Infinity', undefined],
  ['99999999999', longestAsked],
  ['9'.repeat(400), longestAsked],
])('%j', (value, expected) => {
  expect(headerSeconds(value)).toBe(expected);
});
