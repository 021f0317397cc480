import { expect, test } from 'vitest';
import { parseDuration } from './duration.ts';

test.each([
  ['250ms', 250],
  ['90s', 90_000],
  ['15m', 900_000],
  ['1h30m', 5_400_000],
  ['1d', 86_400_000],
  ['1h1m1s1ms', 3_661_001],
  ['30', 30_000],
  ['0', 0],
  ['0.5', 500],
  ['1.5h', 5_400_000],
  [' 5s ', 5000],
])('%j is %d ms', (text, ms) => expect(parseDuration(text, '--timeout')).toBe(ms));

test.each([
  '',
  's',
  '1x',
  '-1',
  '-5s',
  '1m1h',
  '1 m',
  '5s5s',
  'ms',
  '1e3',
  '∞',
  '99999999999999999999d',
])('%j is no duration', (text) => {
  expect(() => parseDuration(text, '--timeout')).toThrow(
    `--timeout takes a duration such as 250ms, 90s, 15m or 1h30m, not ${JSON.stringify(text)}`,
  );
});
