import { expect, test } from 'vitest';
import { limitLine } from './run-options.ts';

test.each([
  [1024 ** 3, '1 GiB'],
  [10_000_000, '10 MB'],
  [1500, '1500 bytes'],
])('names a limit of %d bytes as %s', (bytes, text) => {
  expect(limitLine(bytes)).toContain(` ${text};`);
});
