import { expect, test } from 'vitest';
import { parseKeep } from './keep.ts';

test.each([
  ['90d', { age: 90 * 86_400_000 }],
  ['12w', { age: 12 * 7 * 86_400_000 }],
  ['36h', { age: 36 * 3_600_000 }],
  ['500', { newest: 500 }],
  ['0', undefined],
  ['0d', undefined],
  ['-1', undefined],
  ['', undefined],
  ['90 d', undefined],
  ['2y', undefined],
  ['all', undefined],
  ['9999999', undefined],
])('%j', (text, keep) => {
  expect(parseKeep(text)).toEqual(keep);
});
