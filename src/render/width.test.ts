import { array, assert, constantFrom, oneof, property, string } from 'fast-check';
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import {
  simpleWidth,
  cut,
  shorten,
  widthOf,
  widthWithin,
  shortenStart,
  wrapLine,
} from './width.ts';
import { some } from '../../test/support/full.ts';

const all = Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code));
const simple = all.filter((character) => simpleWidth(character) !== undefined);

test('characters with a known width are as wide as string-width says', () => {
  expect(simple.length).toBeGreaterThan(40_000);
  expect(simple.filter((one) => simpleWidth(one) !== stringWidth(one))).toEqual([]);
});

/** Characters that join with their neighbors, colors, and parts of all of them. */
const odd = constantFrom(
  ...['\u0301', '\u200d', '\ufe0f', '\ufe0e', '\u20e3', '\u00ad', '\u200b', '\t', '\x07'],
  ...['👩‍👩‍👧‍👦', '🇩🇪', '🇩', '👍🏽', '🏽', '☑️', '1️⃣', '❤️‍🔥', '🏴\u{e0067}\u{e007f}', '#'],
  ...['\u1100', '\u1161', '\u11a8', 'नी', 'นี้', 'ำ', 'א', 'ﾞ', '\ud83d', '\u{100001}', '\u0600'],
  ...['\x1b[1;31m', '\x1b[39m', '\x1b[m', '\x1b[38:2::1:2:3m', '\x1b[2K', '\x1b[', '\x1b'],
);
const characters = oneof(constantFrom(...simple), string({ maxLength: 3 }), odd);
const texts = array(characters, { maxLength: 12 }).map((parts) => parts.join(''));

test('texts are as wide as string-width says', () => {
  assert(
    property(texts, (text) => {
      expect(widthOf(text)).toBe(stringWidth(text));
    }),
    { numRuns: some(20_000), seed: 1 },
  );
});

test('truncation keeps whole characters that fit', () => {
  const whole = (text: string): string[] =>
    Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);
  assert(
    property(texts, (text) => {
      // Lines are truncated without their colors; the sign of a number is separated from it.
      const line = text.replaceAll(/[\x1b\u0600]/g, '');
      for (const width of [0, 1, 2, 5, 9]) {
        const kept = cut(line, width);
        expect(stringWidth(kept)).toBeLessThanOrEqual(width);
        expect(whole(line).slice(0, whole(kept).length).join('')).toBe(kept);
      }
    }),
    { numRuns: some(2000), seed: 2 },
  );
});

test.each<[string, number, string]>([
  ['Add 日本語 and more', 8, 'Add 日…'],
  ['✓ passed', 4, '✓ p…'],
  ['Grüße', 4, 'Grü…'],
  ['🚀🚀🚀', 4, '🚀…'],
  ['e\u0301e\u0301e\u0301', 2, 'e\u0301…'],
])('%j in %i columns is %j', (text, width, shortened) => {
  expect(shorten(text, width)).toBe(shortened);
  expect(widthWithin(text, width)).toBe(width);
});

test.each([
  ['feature/in-practice', 12, '…in-practice'],
  ['main', 4, 'main'],
  ['main', 3, '…in'],
  ['main', 0, ''],
  ['ブランチ', 5, '…ンチ'],
  ['team 👩‍👩‍👧‍👦x', 4, '…👩‍👩‍👧‍👦x'],
  ['cafe\u0301', 3, '…fe\u0301'],
])('skips in %j %d columns: %j', (text, width, shortened) => {
  expect(shortenStart(text, width)).toBe(shortened);
});

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
