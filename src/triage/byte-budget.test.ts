import { expect, test } from 'vitest';
import { byteLength, cutText, fairShares, lastThatFit } from './byte-budget.ts';

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

test.each<[string[], number, string[], number, boolean]>([
  [['a', 'b', 'c'], 100, ['a', 'b', 'c'], 0, false],
  [['a', 'b', 'c'], 6, ['a', 'b', 'c'], 0, false],
  [['a', 'b', 'c'], 5, ['b', 'c'], 1, false],
  [['ää', 'b'], 6, ['b'], 1, false],
  [['a', 'twenty characters...'], 20, [`twen${mark}`], 1, true],
  [['a', ''], 1, [''], 1, false],
  [['a'], 0, [], 1, true],
  [[], 0, [], 0, false],
])('of %j fit into %i bytes: %j', (lines, max, fit, dropped, cut) => {
  expect(lastThatFit(lines, max)).toEqual({ lines: fit, dropped, cut });
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
