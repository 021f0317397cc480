import { expect, test } from 'vitest';
import { opensSection, readHeader, visible } from './sections.ts';

test.each([
  ['--- a\n', '---', 'a'],
  ['+++ a b\r\n', '+++', 'a b'],
  ['~~~\t a \t\r\r\n', '~~~', 'a'],
  ['---  \n', '---', ''],
  ['\x1b[1m\x1b[31m--- a\x1b[0m', '---', 'a'],
  ['\x1b_bk;t=1\x07--- a\u202e\n', '---', 'a'],
  ['\x1b]8;;u\x1b\\--- a\x1b]8;;\x07\n', '---', 'a'],
  ['--- a --- b\n', '---', 'a --- b'],
])('%j is a header', (line, marker, name) => {
  expect(readHeader(Buffer.from(line).toString('latin1'))).toEqual({ marker, name });
});

test.each([
  '-- - a',
  '---a',
  '----',
  '---- a',
  '+-- a',
  '^--- a',
  '-> --- a',
  '\x1b[1mx --- a',
  '++++ a',
  '',
])('%j is not a header', (line) => {
  expect(readHeader(`${line}\n`)).toBeUndefined();
});

test.each([
  ['^^^ +++', true],
  ['^^^\t+++ \t', true],
  ['\x1b[1m^^^ +++\x1b[0m', true],
  ['^^^ +++\r', true],
  ['^^^ +++ x', false],
  ['^^^ ++++', false],
  ['^^^+++', false],
  ['^^^^ +++', false],
  ['^^ ^^^ +++', false],
  ['x ^^^ +++', false],
])('%j opens its section: %j', (line, opens) => {
  expect(opensSection(`${line}\n`)).toBe(opens);
});

test.each([
  ['a\n', 'a'],
  ['a', 'a'],
  ['a\r\r\n', 'a'],
  ['a\rb\r\n', 'a\rb'],
  ['\x1b[31ma\x1b[0m\x1b]0;t\x07\r\n', 'a'],
  ['\xc3\xa9\n', 'é'],
])('the text of %j is %j', (line, text) => {
  expect(visible(line)).toBe(text);
});
