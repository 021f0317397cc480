import { expect, test } from 'vitest';
import { contentRange } from './content-range.ts';

test.each([
  ['bytes 5-9/10', { first: 5, last: 9, size: 10 }],
  ['bytes 5-9/*', { first: 5, last: 9, size: undefined }],
  ['bytes */10', { first: undefined, last: undefined, size: 10 }],
  ['Bytes  5-9/10 ', { first: 5, last: 9, size: 10 }],
  ['lines 5-9/10', undefined],
  ['bytes 5-/10', undefined],
  ['', undefined],
])('reads "%s"', (text, expected) => {
  expect(contentRange({ 'content-range': text })).toEqual(expected);
});

test('a response without the header has none', () => {
  expect(contentRange({})).toBeUndefined();
});
