import { expect, test } from 'vitest';
import { cleanLine, cleanText, escapeJson } from './text.ts';

test.each([
  ['plain text', 'plain text'],
  ['\x1b[31mred\x1b[0m', 'red'],
  ['\x9b31mred', 'red'],
  ['\x1b]0;title\x07after', 'after'],
  ['\x1b]52;c;aGk=\x1b\\after', 'after'],
  ['\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\', 'link'],
  ['\x9d0;title\x9cafter', 'after'],
  ['\x1bPq#0\x1b\\x', 'x'],
  ['\x1b_bk;t=1\x07x', 'x'],
  ['\x1bc\x1b(Bx', 'x'],
  ['cut \x1b[31', 'cut 31'],
  ['cut \x1b]0;never ends', 'cut 0;never ends'],
  ['nested \x1b\x1b[m[31mred', 'nested [31mred'],
  ['bell\x07 null\0 del\x7f', 'bell null del'],
  ['one\r\ntwo\rthree', 'one\ntwo\nthree'],
  ['a\u202egnp.exe\u2066b\u2069\u200fc', 'agnp.exebc'],
  ['a\tb', 'a\tb'],
  ['👩‍👩‍👧 ☑️ 日本', '👩‍👩‍👧 ☑️ 日本'],
  ['half a pair \ud800, 🇩🇪\udc00', 'half a pair \ufffd, 🇩🇪\ufffd'],
])('takes what is not printable out of %j', (text, cleaned) => {
  expect(cleanText(text)).toBe(cleaned);
});

test.each([
  ['first\n\n\tsecond', 'first second'],
  ['a\u2028b\x85c', 'a b c'],
  ['a\r\nb', 'a b'],
  ['\x1b[2Jx\ny', 'x y'],
])('makes one line of %j', (text, line) => {
  expect(cleanLine(text)).toBe(line);
});

test('stays linear on text full of unterminated sequences', () => {
  expect(cleanText('\x9d'.repeat(200_000))).toBe('');
});

test('escapes in JSON what JSON itself lets through, without changing its meaning', () => {
  const value = ['\x7f\x9b31m\u202e', 'é日👍'];
  const escaped = escapeJson(JSON.stringify(value));
  expect(escaped).toBe('["\\u007f\\u009b31m\\u202e","é日👍"]');
  expect(JSON.parse(escaped)).toEqual(value);
});
