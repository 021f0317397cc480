import { expect, test } from 'vitest';
import { shortenStart } from './shorten-start.ts';

test.each([
  ['feature/in-practice', 12, '…in-practice'],
  ['main', 4, 'main'],
  ['main', 3, '…in'],
  ['main', 0, ''],
  ['ブランチ', 5, '…ンチ'],
  ['team 👩‍👩‍👧‍👦x', 4, '…👩‍👩‍👧‍👦x'],
  ['cafe\u0301', 3, '…fe\u0301'],
])('of %j %d columns are %j', (text, width, shortened) => {
  expect(shortenStart(text, width)).toBe(shortened);
});
