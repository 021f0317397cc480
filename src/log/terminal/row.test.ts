import { expect, test } from 'vitest';
import {
  rowBytes,
  clearCells,
  combine,
  deleteFrom,
  insertInto,
  truncate,
  newRow,
  plainCell,
  putCharacter,
  type CellStyle,
  type Row,
} from './row.ts';
import { plain } from '../style.ts';
import { toText } from '../text.ts';
import { columnsOf } from './write.ts';

/** A row with a text in which some cells have their own style. */
function rowOf(text: string, cellStyle: CellStyle = plainCell): Row {
  const row = newRow(true);
  let x = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    const width = columnsOf(code);
    if (width === 0) combine(row, x, character);
    else putCharacter(row, x, { code, width }, cellStyle);
    x += width;
  }
  return row;
}

const textOf = (row: Row): string => toText(rowBytes(row, plain, {}).bytes);

test('a cell holds 32 characters and drops further combining marks', () => {
  const row = rowOf(`e${'\u0301'.repeat(40)}f`);
  expect(textOf(row)).toBe(`e${'\u0301'.repeat(31)}f`);
  expect(row.length).toBe(2);
});

test('a combining mark applies to a whole wide character', () => {
  const row = rowOf('日\u0301x');
  expect([textOf(row), row.length]).toEqual(['日\u0301x', 3]);
  expect(combine(newRow(false), 0, '\u0301')).toBe(false);
});

test.each<[string, string, number, number, string]>([
  ['narrow ones', 'abcd', 1, 3, 'a  d'],
  ['none', 'abcd', 2, 2, 'abcd'],
  ['up to the last', 'abcd', 1, 4, 'a'],
  ['beyond the last', 'abcd', 1, 99, 'a'],
  ['the first half of a wide one', '日bc', 0, 1, '  bc'],
  ['the second half of a wide one', '日bc', 1, 2, '  bc'],
  ['all but the last', 'abcd', 0, 3, '   d'],
])('clears %s', (_, text, from, to, expected) => {
  const row = rowOf(text);
  clearCells(row, from, to);
  expect(textOf(row)).toBe(expected);
  expect(row.cellStyles).toHaveLength(row.length);
});

test.each([
  [2, 'ab'],
  [4, 'abcd'],
  [5, 'abcd'],
  [0, ''],
])('truncates at %i', (width, expected) => {
  const row = rowOf('abcd');
  truncate(row, width);
  expect(textOf(row)).toBe(expected);
  expect(row.cellStyles).toHaveLength(expected.length);
});

test('characters of several code points stay with their cells', () => {
  const row = rowOf('abe\u0301d');
  insertInto(row, 1, 2);
  expect(textOf(row)).toBe('a  be\u0301d');
  deleteFrom(row, 0, 3);
  expect(textOf(row)).toBe('be\u0301d');
  expect(row.cellStyles).toHaveLength(3);
});

test('closes a link when another starts, and at the end', () => {
  const row = newRow(true);
  ['', 'u', 'u', 'v'].forEach((link, x) =>
    putCharacter(row, x, { code: 0x61 + x, width: 1 }, { style: plain, link }),
  );
  const open = (link: string): string => `\x1b]8;;${link}\x07`;
  expect(rowBytes(row, plain, { links: true }).bytes).toBe(
    `a${open('u')}bc${open('v')}d${open('')}`,
  );
});

test('writes characters of one to four bytes as UTF-8', () => {
  const row = rowOf('a\u07ff\u0800\uffee\u{1f680}\u{10fffd}');
  expect(textOf(row)).toBe('a\u07ff\u0800\uffee\u{1f680}\u{10fffd}');
});
