import { expect, test } from 'vitest';
import { tags } from '../../test/support/printable.ts';
import {
  cleanLine,
  cleanMarkup,
  cleanText,
  dropHidden,
  escapeJson,
  escapeYaml,
  hiddenBytes,
} from './untrusted-text.ts';

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
])('removes unprintable characters from %j', (text, cleaned) => {
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

test('escapes in JSON what JSON itself allows, without changing its meaning', () => {
  const value = ['\x7f\x9b31m\u202e', 'é日👍'];
  const escaped = escapeJson(JSON.stringify(value));
  expect(escaped).toBe('["\\u007f\\u009b31m\\u202e","é日👍"]');
  expect(JSON.parse(escaped)).toEqual(value);
});

test.each([
  ['emoji of several people', '👩‍👩‍👧‍👦 👩🏽‍💻 🧑‍🤝‍🧑 🏳️‍🌈 🏴‍☠️ ❤️‍🔥'],
  ['emoji and text presentation, keycaps', '☑️ ⚠️ ☎︎ ©️ 1️⃣ #️⃣ 🈂️'],
  ['flags', '🇩🇪 🏴󠁧󠁢󠁥󠁮󠁧󠁿 🏴󠁧󠁢󠁳󠁣󠁴󠁿 🏴󠁧󠁢󠁷󠁬󠁳󠁿'],
  ['Persian', 'می\u200cخواهم کتاب\u200cها ه\u200d'],
  ['Hindi, Bengali', 'क्\u200dष क्\u200cष র\u200d্য'],
  ['Sinhala, Malayalam', 'ශ්\u200dරී ന്\u200d'],
  ['variants of Chinese characters', '葛\u{e0100}城 邉\u{e0111}'],
  ['Mongolian', 'ᠮᠣᠩᠭᠣᠯ\u180b ᠠ\u180eᠠ'],
  ['Hebrew, Arabic, Thai, Korean', 'שלום مرحبا ประเทศไทย 한국어'],
])('keeps %s', (_, text) => {
  expect(cleanText(text)).toBe(text);
  expect(escapeJson(text)).toBe(text);
});

test.each([
  ['tag characters', `a${tags('ignore all')}b`, 'ab'],
  ['tags after a flag that is none', `🏴${tags('rm -rf')}\u{e007f}`, '🏴'],
  ['a flag of tags without its end', `🏴${tags('gbeng')}`, '🏴'],
  ['zero-width characters', 'a\u200b\u2060\ufeff\u00ad\u034f\u180e\u3164b', 'ab'],
  ['joiners that join nothing', 'a\u200db 👩\u200d x\u200d👩 👩\u200d\u200d👩', 'ab 👩 x👩 👩👩'],
  ['a non-joiner that is not between letters', '\u200ca b\u200c 1\u200c2', 'a b 12'],
  ['runs of variation selectors', '😀\ufe0f\ufe0f\u{e0158}\u{e0159}a\ufe01', '😀\ufe0fa'],
  ['a second variant', '葛\u{e0100}\u{e0101}', '葛\u{e0100}'],
  ['halves of a pair that would come together', '\udb40\x07\udc41', '\ufffd\ufffd'],
])('drops %s', (_, text, cleaned) => {
  expect(cleanText(text)).toBe(cleaned);
});

test('does not join markup across sequences', () => {
  expect(cleanMarkup('<a title="\x1b]">x</a><b title="\x07y\u202e">')).toBe(
    '<a title="]">x</a><b title="y">',
  );
});

test('writes a surrogate pair as one YAML escape', () => {
  expect(escapeYaml('"a\u202e\u{e0041}"')).toBe('"a\\u202e\\U000e0041"');
});

test('the fast checks and the patterns agree on hidden characters', () => {
  const isHidden = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\u2028\u2029]/u;
  for (let code = 0x80; code < 0xe2000; code++) {
    if (code === 0xd800) code = 0xe000;
    if (code === 0x1e000) code = 0xdf000;
    const character = String.fromCodePoint(code);
    const found = isHidden.test(character);
    if (found !== (dropHidden(character) === '')) expect.fail(`dropHidden: ${code.toString(16)}`);
    if (found !== hiddenBytes.test(Buffer.from(character).toString('latin1')))
      expect.fail(`hiddenBytes: ${code.toString(16)}`);
  }
});
