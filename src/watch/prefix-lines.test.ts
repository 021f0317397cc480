import { expect, test } from 'vitest';
import { prefixLines } from './prefix-lines.ts';

test.each([
  ['one\n', 'lint | one\n'],
  ['one\ntwo\n', 'lint | one\nlint | two\n'],
  ['one\n\ntwo\n', 'lint | one\nlint | \nlint | two\n'],
  ['no newline at the end', 'lint | no newline at the end\n'],
])('%j', (text, lines) => {
  expect(prefixLines(text, 'lint')).toBe(lines);
});

test.each([
  ['make\nmake test', 'make | ok\n'],
  ["echo $$ $& $' $1", "echo $$ $& $' $1 | ok\n"],
])('behind the name %j', (name, lines) => {
  expect(prefixLines('ok\n', name)).toBe(lines);
});
