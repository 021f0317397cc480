import { expect, test } from 'vitest';
import { wrapLine } from './wrap-line.ts';

test.each([
  ['one two three', 7, ['one two', 'three']],
  ['  indented text stays', 12, ['  indented', 'text stays']],
  ['日本 日本 日本', 9, ['日本 日本', '日本']],
  [
    'see https://ci.example/a-long-address for it',
    12,
    ['see', 'https://ci.example/a-long-address', 'for it'],
  ],
  ['長い名前ab長い名前', 9, ['長い名前a', 'b長い名前']],
  ['to 長い名前長い名前', 9, ['to', '長い名前', '長い名前']],
  ['short', 80, ['short']],
  ['any width', Infinity, ['any width']],
  ['', 10, ['']],
])('%j in %d columns', (line, width, lines) => {
  expect(wrapLine(line, width)).toEqual(lines);
});
