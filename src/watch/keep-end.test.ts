import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { keepEnd } from './keep-end.ts';

test.each([
  ['main', 4, 'main'],
  ['feature/long', 6, '…/long'],
  ['feature/long', 1, ''],
  ['feature/long', 0, ''],
  ['feature/long', -3, ''],
  ['長い名前', 8, '長い名前'],
  ['長い名前', 7, '…い名前'],
  ['長い名前', 6, '…名前'],
  ['長い名前', 2, '…'],
  ['👩‍💻👩‍💻👩‍💻', 5, '…👩‍💻👩‍💻'],
])('the end of %s in %i columns', (text, width, end) => {
  expect(keepEnd(text, width)).toBe(end);
  expect(stringWidth(end)).toBeLessThanOrEqual(Math.max(0, width));
});
