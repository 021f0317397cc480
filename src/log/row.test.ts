import { expect, test } from 'vitest';
import { clearCells, newRow, plainCell, rowBytes, truncate, writeCell } from './row.ts';
import { plain } from './style.ts';
import { toText } from './text.ts';

/** A row on which a text was written. */
function rowOf(text: string) {
  const row = newRow();
  let x = 0;
  for (const character of text) x = writeCell(row, x, character, plainCell);
  return { row, x };
}
const textOf = (row: ReturnType<typeof newRow>): string => toText(rowBytes(row, plain, {}));

test('a cell holds 32 characters; further marks are dropped', () => {
  const { row, x } = rowOf(`e${'\u0301'.repeat(40)}f`);
  expect(row.cells).toEqual([`e${'\u0301'.repeat(31)}`, 'f']);
  expect(x).toBe(2);
});

test('a mark goes to a wide character as a whole; without one before it has a cell', () => {
  expect(rowOf('日\u0301x').row.cells).toEqual(['日\u0301', '', 'x']);
  expect(rowOf('\u0301x').row.cells).toEqual(['\u0301', 'x']);
});

test('behind the end there are spaces', () => {
  const row = newRow();
  expect(writeCell(row, 3, 'x', plainCell)).toBe(4);
  expect(row.cells).toEqual([' ', ' ', ' ', 'x']);
  expect(row.cellStyles).toHaveLength(4);
});

test.each<[string, string, number, number, string]>([
  ['narrow ones', 'abcd', 1, 3, 'a  d'],
  ['none', 'abcd', 2, 2, 'abcd'],
  ['up to the last', 'abcd', 1, 4, 'a'],
  ['beyond the last', 'abcd', 1, 99, 'a'],
  ['the first half of a wide one', '日bc', 0, 1, '  bc'],
  ['the second half of a wide one', '日bc', 1, 2, '  bc'],
  ['a wide one at the end', 'a日', 2, 3, 'a'],
  ['all but the last', 'abcd', 0, 3, '   d'],
])('clears %s', (_, text, from, to, expected) => {
  const { row } = rowOf(text);
  clearCells(row, from, to);
  expect(textOf(row)).toBe(expected);
  expect(row.cellStyles).toHaveLength(row.cells.length);
});

test.each([
  [2, 'ab'],
  [4, 'abcd'],
  [5, 'abcd'],
  [0, ''],
])('cut off at %i', (width, expected) => {
  const { row } = rowOf('abcd');
  truncate(row, width);
  expect(textOf(row)).toBe(expected);
  expect(row.cellStyles).toHaveLength(expected.length);
});

test('a link is closed where another begins, and at the end', () => {
  const row = newRow();
  const to = (link: string) => ({ style: plain, link });
  ['', 'u', 'u', 'v'].forEach((link, x) => writeCell(row, x, 'abcd'.charAt(x), to(link)));
  const open = (link: string): string => `\x1b]8;;${link}\x07`;
  expect(rowBytes(row, plain, { links: true })).toBe(`a${open('u')}bc${open('v')}d${open('')}`);
});
