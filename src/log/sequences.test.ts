import { expect, test } from 'vitest';
import { feed } from '../../test/log/split.ts';
import { type Keep, scanControls } from './sequences.ts';
import { settle } from './settle.ts';

const esc = '\x1b';
const all: Keep = { colours: true, marks: true, links: true };
const settled = (log: string, keep: Keep = {}): string => feed(settle(keep), log);

/** As a line that is only stripped and, after a NUL, as one that is interpreted. */
const bothWays = (log: string): string[] => [settled(`${log}\n`), settled(`\0${log}\n`)];

test.each([
  ['CSI without parameters', `a${esc}[mb`, 'ab'],
  ['CSI with the first of parameters', `a${esc}[0nb`, 'ab'],
  ['CSI with the last of parameters', `a${esc}[?nb`, 'ab'],
  ['CSI with the first final', `a${esc}[ @b`, 'ab'],
  ['CSI with the last final', `a${esc}[1~b`, 'ab'],
  ['CSI with the first intermediate', `a${esc}[1 qb`, 'ab'],
  ['CSI with the last intermediate', `a${esc}[1/qb`, 'ab'],
  ['CSI that is an erasure behind the cursor', `a${esc}[Kb${esc}[0K${esc}[Jc${esc}[0J`, 'abc'],
  [
    'CSI of a private kind that looks like a move',
    `a${esc}[?2Kb${esc}[>1Ac${esc}[<Bd${esc}[=Ce`,
    'abcde',
  ],
  ['CSI with an intermediate that looks like a move', `a${esc}[2 Ab${esc}[!Dc`, 'abc'],
  ['CSI of thousands of parameters', `a${esc}[${'1;'.repeat(5000)}mb`, 'ab'],
  ['CSI of many intermediates', `a${esc}[${' '.repeat(99)}mb`, 'ab'],
  ['the first short sequence', `a${esc}0b`, 'ab'],
  ['the last short sequence', `a${esc}~b`, 'ab'],
  ['a selection', `a${esc}(Bb${esc})0c${esc} Fd${esc}/~e`, 'abcde'],
  ['a selection of many intermediates', `a${esc}${'('.repeat(99)}0b`, 'ab'],
  [
    'strings of each kind',
    ['P', 'X', ']', '^', '_'].map((kind) => `${esc}${kind}q;r\x07a`).join(''),
    'aaaaa',
  ],
  [
    'strings of each kind, ended by ST',
    ['P', 'X', ']', '^', '_'].map((kind) => `${esc}${kind}q${esc}\\a`).join(''),
    'aaaaa',
  ],
  ['a string without body', `a${esc}]\x07b${esc}P${esc}\\c`, 'abc'],
  [
    'OSC of numbers near those that show',
    `a${esc}]133;A\x07b${esc}]1336;x\x07c${esc}]13;9\x07d${esc}]1330\x07`,
    'abcd',
  ],
])('removes all of %s', (_, log, expected) => {
  expect(bothWays(log)).toEqual([`${expected}\n`, `${expected}\n`]);
  expect(settled(`${log}\n`, all).replace(/\x1b\[[\d;]*m/g, '')).toBe(`${expected}\n`);
});

test.each([
  ['CSI with a letter of another alphabet', `a${esc}[1\xc3\xa9b`, 'a\xc3\xa9b'],
  ['CSI with DEL', `a${esc}[1\x7fmb`, 'amb'],
  ['a short sequence that is DEL', `a${esc}\x7fb`, 'ab'],
  ['a short sequence of another alphabet', `a${esc}\xc3\xa9b`, 'a\xc3\xa9b'],
  ['a selection with DEL', `a${esc}(\x7fb`, 'ab'],
  ['a string that CAN breaks off', `a${esc}]t\x18b`, 'atb'],
  ['a string that SUB breaks off', `a${esc}]t\x1ab`, 'atb'],
  ['a string that another sequence breaks off', `a${esc}]t${esc}[1mb`, 'atb'],
  ['a string that ends with its line', `a${esc}Pt`, 'at'],
  ['ESC alone', `a${esc}`, 'a'],
])('removes the start of an incomplete sequence: %s', (_, log, expected) => {
  expect(bothWays(log)).toEqual([`${expected}\n`, `${expected}\n`]);
});

test.each([
  ['at the end', `${esc}[`],
  ['within parameters', `${esc}[1;`],
  ['within a string', `${esc}]`],
  ['within ST', `${esc}]${esc}`],
  ['within a selection', `${esc}(`],
  ['after ESC', esc],
])('shows nothing of a sequence that breaks off %s', (_, end) => {
  expect([settled(`a${end}`), settled(`\0a${end}`)]).toEqual(['a', 'a']);
});

test.each([
  ['A', '\nabX\ncd'],
  ['D', '\nab\ncX'],
  ['G', '\nab\nXd'],
  ['1K', '\nab\n  X'],
  ['2K', '\nab\n  X'],
  ['P', '\nab\ncdX'],
])('applies cursor movement and erasing before removing it: %s', (sequence, expected) => {
  expect(settled(`\nab\ncd${esc}[${sequence}X`)).toBe(expected);
});

test.each<[string, Keep, string]>([
  [`${esc}[1;31ma${esc}[m`, { colours: true }, `${esc}[1;31ma${esc}[m`],
  [`${esc}[1;31ma${esc}[m`, { marks: true, links: true }, 'a'],
  [`${esc}[38:5:1ma`, { colours: true }, `${esc}[38:5:1ma`],
  [`${esc}[<1ma${esc}[?4m${esc}[>4;2mb${esc}[1 mc${esc}[1nd`, { colours: true }, 'abcd'],
  [`${esc}[0/ma`, { colours: true }, 'a'],
  [`${esc}_bk;t=1\x07a`, { marks: true }, `${esc}_bk;t=1\x07a`],
  [`${esc}_bk;t=1${esc}\\a`, { marks: true }, `${esc}_bk;t=1${esc}\\a`],
  [`${esc}_bk;t=1\x07a`, { colours: true, links: true }, 'a'],
  [`${esc}_bj;t=1\x07a${esc}_k;\x07b${esc}^bk;t=1\x07`, { marks: true }, 'ab'],
  [`${esc}]8;;u\x07a${esc}]8;;\x07`, { links: true }, `${esc}]8;;u\x07a${esc}]8;;\x07`],
  [`${esc}]8;;u\x07a`, { colours: true, marks: true }, 'a'],
  [`${esc}]80;u\x07a${esc}]9;;u\x07b${esc}P8;;u\x07c${esc}(B`, { links: true }, 'abc'],
])('%j with %j stays %j', (log, keep, expected) => {
  expect(settled(`${log}\n`, keep)).toBe(`${expected}\n`);
});

test('up to two carriage returns before a newline belong to it', () => {
  expect(bothWays('a\r')).toEqual(['a\n', 'a\n']);
  expect(bothWays('a\r\r')).toEqual(['a\n', 'a\n']);
  expect(bothWays('a\r\r\r')).toEqual(['a\n', 'a\n']);
  expect(bothWays('a\rb\r')).toEqual(['b\n', 'b\n']);
  expect(bothWays('ab\r\rc')).toEqual(['cb\n', 'cb\n']);
});

/** Bytes at an offset in their own buffer, with `behind` bytes after them. */
function placed(text: string, offset: number, behind = 0): Buffer {
  const bytes = Buffer.from(text, 'latin1');
  const memory = new Uint8Array(offset + bytes.length + behind);
  memory.set(bytes, offset);
  return Buffer.from(memory.buffer, offset, bytes.length);
}

const utf8 = (text: string): string => Buffer.from(text).toString('latin1');

/** The first control character from the start on, found byte by byte. */
function expected(text: string, from: number): number {
  const found = /[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]/g;
  found.lastIndex = from;
  return found.exec(text)?.index ?? text.length;
}

const logs = [
  ...['', 'a', 'ab', 'abc', '\n', '\n\n\n', 'plain text\n', 'a\tb\nc\td\n'],
  ...['\x1b', 'a\r', 'ab\x00', 'abc\b', 'abcd\x1f', 'abcde\x1b[m\n', '\x08\x0b\x0c\x0e'],
  ...['\n\n\r\n', 'a\n\n\x1b\n', '\t\t\t\t\x1b', ' \x1f \x20\n', '\x1f\x1e\x1d', 'a\x1fb'],
  ...['\x7f', 'ab\x7fcd\x7f\x1b', 'abcdefgh\x7f', utf8('a\u0080b\u009fc\u00a0d'), 'abc\xc2'],
  ...[utf8('é\u00a0日本👍\n'), utf8('“quoted” … – —\n'), utf8('no → control\t\n')],
  ...[utf8('a\u202eb\u202ec\n'), utf8('\u061cx'), utf8('ab\u2066\u2069'), utf8('x\u2028\u2029')],
  ...[utf8('é “q”\x1b\u200e'), utf8('“\u200f”\x7f\u0085'), 'a\xe2\x80', 'ab\xd8', '\xe2\x80\xae'],
];

test.each(logs)('finds each control character at any byte offset: %j', (log) => {
  for (const offset of [0, 1, 2, 3])
    for (const behind of [0, 1, 2, 3]) {
      const controls = scanControls(placed(log, offset, behind));
      for (let from = 0; from <= log.length; from++)
        expect(controls.next(from)).toBe(expected(log, from));
    }
});

test('settles a chunk that ends with a short line', () => {
  for (const offset of [0, 1, 2, 3])
    for (const last of ['\n', 'x\n', '\x1b[mx\n', 'xy\n']) {
      const stage = settle();
      // Of a line that was begun before, the rest of the read stays where it is.
      const out = stage.push(Buffer.from('a')) + stage.push(placed(`bc\n${last}`, offset));
      expect(out + stage.end()).toBe(`abc\n${last.replace('\x1b[m', '')}`);
    }
});
