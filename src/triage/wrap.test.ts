import { expect, test } from 'vitest';
import { widthOf } from '../render/width.ts';
import { wrap } from './wrap.ts';

test.each([
  ['one two three', { width: 8, byWords: true }, ['one two', 'three']],
  ['one two three', { width: 7, byWords: true, indent: 2 }, ['one two', '  three']],
  ['onetwothree', { width: 6, byWords: true }, ['onetwo', 'three']],
  ['one two', { width: 5 }, ['one t', 'wo']],
  ['short', { width: 5 }, ['short']],
  ['a\u{1f680}\u{1f680}', { width: 3 }, ['a\u{1f680}', '\u{1f680}']],
  ['anything', { width: Infinity }, ['anything']],
  ['', { width: 5 }, ['']],
])('%j in %j', (line, options, rows) => {
  expect(wrap(line, options)).toEqual(rows);
});

test('each row has the colors of its part, and resets them', () => {
  expect(wrap('a\x1b[31mbcd\x1b[39me', { width: 2 })).toEqual([
    'a\x1b[31mb\x1b[0m',
    '\x1b[31mcd\x1b[0m',
    'e',
  ]);
});

test('shows a character wider than the row', () => {
  expect(wrap('\u{1f680}\u{1f680}', { width: 1 }).join('')).toContain('\u{1f680}');
  expect(wrap('\u{1f680}', { width: 1 }).map(widthOf)).toEqual([2]);
});
