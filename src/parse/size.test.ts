import { expect, test } from 'vitest';
import { sizeOf } from './size.ts';

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
