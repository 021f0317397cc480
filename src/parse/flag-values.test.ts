import { expect, test } from 'vitest';
import { parseDuration, sizeOf, pair, pairs, parseAuthor } from './flag-values.ts';

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
])('%j is not a duration', (text) => {
  expect(() => parseDuration(text, '--timeout')).toThrow(
    `--timeout must be a duration such as 250ms, 90s, 15m or 1h30m, not ${JSON.stringify(text)}`,
  );
});

test.each([
  ['1500', 1500],
  ['10b', 10],
  ['10kB', 10_000],
  ['10MB', 10_000_000],
  ['10 MB', 10_000_000],
  ['10MiB', 10 * 1024 ** 2],
  ['10m', 10 * 1024 ** 2],
  ['1.5GiB', 1.5 * 1024 ** 3],
  ['1TiB', 1024 ** 4],
])('reads %s as %d bytes', (text, bytes) => {
  expect(sizeOf(text)).toBe(bytes);
});

test.each(['', '0', '-1', '1x', 'GiB', '1e3', '1 GiB 2', '99999999TiB'])('rejects %j', (text) => {
  expect(sizeOf(text)).toBeUndefined();
});

test.each([
  ['K=V', ['K', 'V']],
  ['K=', ['K', '']],
  ['K=a=b', ['K', 'a=b']],
  ['K= a\nb ', ['K', ' a\nb ']],
])('splits %j at the first =', (text, parts) => expect(pair(text, '--env')).toEqual(parts));

test.each(['', 'K', '=V'])('rejects %j, naming the flag', (text) =>
  expect(() => pair(text, '--env')).toThrow(/--env must be KEY=VALUE/),
);

test('the last value of a key wins, and __proto__ is a key like any other', () => {
  const found = pairs(['A=1', '__proto__=x', 'A=2'], '--env');
  expect(Object.entries(found)).toEqual([
    ['A', '2'],
    ['__proto__', 'x'],
  ]);
});

test.each([
  ['Ada Lovelace <ada@example.com>', 'Ada Lovelace', 'ada@example.com'],
  ['  A<a@b> ', 'A', 'a@b'],
])('%j has a name and an email address', (text, name, email) =>
  expect(parseAuthor(text)).toEqual({ name, email }),
);

test.each(['', 'Ada', '<ada@example.com>', 'Ada <ada>', 'Ada <a@b> x', 'Ada <a @b>'])(
  '%j is not an author',
  (text) => expect(() => parseAuthor(text)).toThrow('the author must be'),
);
