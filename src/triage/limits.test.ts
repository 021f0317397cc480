import { expect, test } from 'vitest';
import { byteLength, cutText, fairShares } from './limits.ts';

const mark = '… [truncated]';

test.each([
  ['short', 5, 'short'],
  ['twenty characters...', 19, `twen${mark}`],
  ['ä'.repeat(20), 20, `ää${mark}`],
  ['🦊'.repeat(20), 20, `🦊${mark}`],
  ['ab🦊cdefghijklmnopqrstuvw', 20, `ab${mark}`],
  ['no room for the mark', 4, 'no r'],
  ['🦊🦊', 5, '🦊'],
  ['', 0, ''],
  ['x', 0, ''],
])('%j in %i bytes is %j', (text, max, cut) => {
  expect(cutText(text, max)).toEqual({ text: cut, truncated: cut !== text });
  expect(byteLength(cut)).toBeLessThanOrEqual(max);
});

test.each([
  [[10, 20, 30], 100, [10, 20, 30]],
  [[10, 200, 300], 100, [10, 45, 45]],
  [[1000, 1, 1], 12, [10, 1, 1]],
  [[5, 5], 0, [0, 0]],
  [[], 10, []],
])('%j out of %i: %j', (sizes, total, shares) => {
  expect(fairShares(sizes, total)).toEqual(shares);
});
