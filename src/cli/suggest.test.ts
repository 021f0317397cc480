import { expect, test } from 'vitest';
import { suggest } from './suggest.ts';

const words = ['list', 'view', 'create', 'cancel', 'rebuild'];

test.each([
  ['lsit', 'list'],
  ['lis', 'list'],
  ['veiw', 'view'],
  ['cancle', 'cancel'],
  ['rebuilds', 'rebuild'],
  ['delete', undefined],
  ['x', undefined],
])('%s was meant to be %s', (word, meant) => {
  expect(suggest(word, words)).toBe(meant);
});
