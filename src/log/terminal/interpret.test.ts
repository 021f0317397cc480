import { expect, test } from 'vitest';
import { feed } from '../../../test/log/split.ts';
import type { Keep } from '../sequences.ts';
import { settle } from '../settle.ts';
import { toBytes, toText } from '../text.ts';

const esc = '\x1b';
const settled = (log: string, keep: Keep = {}): string => toText(feed(settle(keep), toBytes(log)));

// NUL is invisible, but causes its line to be interpreted.
test.each([
  ['NUL to BS', '\0a\x01\x02\x03\x04\x05\x06\x07b\n', 'ab\n'],
  ['VT to US, but for CR and ESC', '\0a\x0b\x0c\x0e\x0f\x10\x19\x1a\x1c\x1d\x1e\x1fb\n', 'ab\n'],
  ['DEL and C1', '\0a\x7f\u0080\u0085\u009b\u009fb\n', 'ab\n'],
  ['neither the characters around them', '\0 ~\u00a0\n', ' ~\u00a0\n'],
  ['nor a tab', 'a\tb\rc\n', 'c\tb\n'],
  ['marks of direction', '\0a\u202e\u2066\u061cb\n', 'ab\n'],
  ['character sets', `\0a${esc}(Bb${esc}#8c\n`, 'abc\n'],
  ['other short sequences', `\0a${esc}Nb${esc}=c${esc}Hd\n`, 'abcd\n'],
  [
    'strings that are for nobody',
    `\0a${esc}Pq${esc}\\b${esc}Xq\x07c${esc}^q\x07d${esc}_q\x07\n`,
    'abcd\n',
  ],
  [
    'OSC that shows nothing',
    `\0a${esc}]0;t\x07b${esc}]1337;SetMark\x07c${esc}]1340;url=u\x07\n`,
    'abc\n',
  ],
  ['CSI of other kinds', `\0a${esc}[?1hb${esc}[>4mc${esc}[2 qd${esc}[=Ae${esc}[5zf\n`, 'abcdef\n'],
])('drops %s', (_, log, expected) => {
  expect(settled(log)).toBe(expected);
});

test.each([
  ['a CSI at the end of its line', `\0a${esc}[31\nb\n`, 'a\nb\n'],
  ['a CSI that a control breaks off', `\0a${esc}[3\x01mb\n`, 'amb\n'],
  ['a string at the end of its line', `\0a${esc}]0;t\nb\n`, 'a0;t\nb\n'],
  ['a selection at the end of its line', `\0a${esc}(\nb\n`, 'a\nb\n'],
  ['ESC alone', `\0a${esc}\nb${esc}`, 'a\nb'],
  ['ESC ESC', `\0a${esc}${esc}[1mb\n`, 'ab\n'],
])('drops only the start of %s', (_, log, expected) => {
  expect(settled(log)).toBe(expected);
});

test('backspace moves back one column, up to the margin', () => {
  expect(settled('abc\bX\n')).toBe('abX\n');
  expect(settled('ab\b\b\b\bX\n')).toBe('Xb\n');
  expect(settled('日\bX\n')).toBe(' X\n');
});

const link = (address: string, text: string): string =>
  `${esc}]8;;${address}\x07${text}${esc}]8;;\x07`;

test.each([
  ['as it is', `\0${link('http://x/', 'a')}b\n`, `${link('http://x/', 'a')}b\n`],
  ['ended by ST', `\0${esc}]8;;u${esc}\\a${esc}]8;;${esc}\\b\n`, `${link('u', 'a')}b\n`],
  ['with parameters', `\0${esc}]8;id=1:x=2;u\x07a\n`, `${link('u', 'a')}\n`],
  ['with semicolons', `\0${esc}]8;;u;v;w\x07a\n`, `${link('u;v;w', 'a')}\n`],
  ['up to the end of its line', `\0${esc}]8;;u\x07a\n\0b\n`, `${link('u', 'a')}\nb\n`],
  [
    'up to the next',
    `\0${esc}]8;;u\x07a${link('v', 'b')}c\n`,
    `${esc}]8;;u\x07a${link('v', 'b')}c\n`,
  ],
  [
    'without blanks and controls',
    `\0${esc}]8;; u\tv\u0085w\u202e\u007f \x07a\n`,
    `${link('uvw', 'a')}\n`,
  ],
  ['over written text', `abc\r${link('u', 'x')}\n`, `${link('u', 'x')}bc\n`],
  [
    "of the log's own",
    `\0${esc}]1339;url=http://x/;content=a b\x07c\n`,
    `${link('http://x/', 'a b')}c\n`,
  ],
  ["of the log's own without an address", `\0${esc}]1339;content=a\x07c\n`, 'ac\n'],
  ['of a picture', `\0${esc}]1338;url=u;alt=a\x07c\n`, `${link('u', 'a')} c\n`],
  [
    'of a picture without blanks',
    `\0${esc}]1338;url=' u\tv';alt='a\tb\u202e'\x07\n`,
    `${link('uv', 'ab')}\n`,
  ],
  [
    'around a picture inside',
    `\0${esc}]8;;u\x07a${esc}]1337;File=:A\x07b\n`,
    `${link('u', 'a ')}picture${link('u', ' b')}\n`,
  ],
])('keeps a link %s', (_, log, expected) => {
  expect(settled(log, { links: true })).toBe(expected);
  expect(settled(log)).toBe(settled(expected));
});

test('keeps a style and a link together, and neither ends the other', () => {
  const log = `\0${esc}[31ma${esc}]8;;u\x07b${esc}[32mc${esc}]8;;\x07d${esc}[0me\n`;
  expect(settled(log, { links: true, colours: true })).toBe(
    `${esc}[31ma${esc}]8;;u\x07b${esc}[0;32mc${esc}]8;;\x07d${esc}[0me\n`,
  );
  expect(settled(log, { colours: true })).toBe(`${esc}[31mab${esc}[0;32mcd${esc}[0me\n`);
  const goesOn = `\0${esc}[31m${esc}]8;;u\x07a\n\0b\n`;
  expect(settled(goesOn, { links: true, colours: true })).toBe(
    `${esc}]8;;u\x07${esc}[31ma${esc}]8;;\x07${esc}[0m\n${esc}[31mb${esc}[0m\n`,
  );
});

test.each([
  ['m of a private sequence', `\0${esc}[?1ma\n`, 'a\n'],
  ['m with an intermediate', `\0${esc}[1 ma\n`, 'a\n'],
  ['m with colons', `\0${esc}[38:5:9ma\n`, `${esc}[38;5;9ma${esc}[0m\n`],
  ['m without parameters', `\0${esc}[1ma${esc}[mb\n`, `${esc}[1ma${esc}[0mb\n`],
])('colors of %s', (_, log, expected) => {
  expect(settled(log, { colours: true })).toBe(expected);
});

const mark = (body: string): string => `${esc}_${body}\x07`;

test.each([
  ['one', `${mark('bk;t=1')}a\rb\n`, `${mark('bk;t=1')}b\n`],
  [
    'the first and the last',
    [1, 2, 3].map((t) => `${mark(`bk;t=${t}`)}${t}\r`).join('') + '\n',
    `${mark('bk;t=1')}${mark('bk;t=3')}3\n`,
  ],
  [
    'what is counted from the last',
    `${mark('bk;t=1')}${mark('bk;t=2')}${mark('bk;dt=3')}a\rb\n`,
    `${mark('bk;t=1')}${mark('bk;t=2')}${mark('bk;dt=3')}b\n`,
  ],
  ['ended by ST', `${esc}_bk;t=1${esc}\\a\rb\n`, `${mark('bk;t=1')}b\n`],
  [
    'those that count, up to fifty',
    `${mark('bk;dt=1').repeat(60)}a\rb\n`,
    `${mark('bk;dt=1').repeat(50)}b\n`,
  ],
  ['none of others', `${mark('x;t=1')}${esc}]bk;t=1\x07a\rb\n`, 'b\n'],
])('an interpreted line has %s markers', (_, log, expected) => {
  expect(settled(log, { marks: true })).toBe(expected);
  expect(settled(log)).toBe(settled(expected));
});
