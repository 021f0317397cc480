import { expect, test } from 'vitest';
import { feed } from '../../../test/log/split.ts';
import { settle } from '../settle.ts';
import { toBytes, toText } from '../text.ts';

const csi = (rest: string): string => `\x1b[${rest}`;
const settled = (log: string): string => toText(feed(settle(), toBytes(log)));

test.each([
  ['to its end', `abcdef\b\b${csi('K')}\n`, 'abcd\n'],
  ['to its end, by number', `abcdef\b\b${csi('0K')}X\n`, 'abcdX\n'],
  ['to its start, the cell of the cursor too', `abcdef\b\b${csi('1K')}\n`, '     f\n'],
  ['as a whole', `abcdef\b\b${csi('2K')}\n`, '\n'],
  ['as a whole, and the cursor stays', `abcdef\b\b${csi('2K')}X\n`, '    X\n'],
  ['not, by another number', `abcdef\b\b${csi('3K')}\n`, 'abcdef\n'],
  ['not, by a private sequence', `abcdef\b\b${csi('?2K')}\n`, 'abcdef\n'],
  ['not, by a sequence with an intermediate', `abcdef\b\b${csi('2 K')}\n`, 'abcdef\n'],
  ['with the half of a wide character', `a日b\b\b${csi('K')}X\n`, 'a X\n'],
])('erases a line %s', (_, log, expected) => {
  expect(settled(log)).toBe(expected);
});

test.each([
  ['below', `ab\ncd\nef${csi('2A')}\b${csi('J')}\n`, 'a\n'],
  ['below, by number', `ab\ncd\nef${csi('2A')}\b${csi('0J')}\n`, 'a\n'],
  ['below and in its own row alone', `ab\ncd\nef${csi('A')}\b${csi('J')}\n`, 'ab\nc\n'],
  [
    'above, where what was there stays',
    `ab\ncd\nef${csi('A')}${csi('1J')}X\n\n`,
    'ab\ncd\n  X\nef\n',
  ],
  ['up to the cursor', `abcd\b\b${csi('1J')}\n`, 'abcd\n   d\n'],
  ['not, by another number', `ab\ncd${csi('A')}${csi('4J')}X\n\n`, 'abX\ncd\n'],
])('erases the screen %s', (_, log, expected) => {
  expect(settled(log)).toBe(expected);
});

test.each([2, 3])('nothing moves when the screen is cleared: mode %i', (mode) => {
  const clear = csi(`${mode}J`);
  expect(settled(`ab\ncd${csi('A')}${clear}X\n`)).toBe('ab\ncd\n  X\n');
  expect(settled(`ab\ncd\n${clear}X\r${csi('A')}Y\n\n`)).toBe('ab\ncd\nY\nX\n');
  expect(settled(`ab\n${csi('H')}${clear}X\n`)).toBe('ab\nX\n');
  expect(settled(`ab${csi('2K')}${clear}X\n`)).toBe('  X\n');
});

test.each([
  ['deletes one', `abcd\r${csi('P')}\n`, 'bcd\n'],
  ['deletes some', `abcd\b\b\b${csi('2P')}\n`, 'ad\n'],
  ['deletes up to the end', `abcd\b\b${csi('9P')}\n`, 'ab\n'],
  ['deletes none behind the end', `abcd${csi('9P')}X\n`, 'abcdX\n'],
  ['deletes none far behind the end', `ab${csi('9C')}${csi('P')}\r!\n`, '!b\n'],
  ['inserts one', `abcd\b\b${csi('@')}\n`, 'ab cd\n'],
  ['inserts some', `abcd\b\b${csi('3@')}X\n`, 'abX  cd\n'],
  ['inserts before a tab, which stays as wide', `a\tb\r${csi('@')}\n`, ' a       b\n'],
  ['deletes before a tab, which stays as wide', `a\tb\r${csi('P')}\n`, '       b\n'],
  ['inserts none behind the end', `ab${csi('3@')}\n`, 'ab\n'],
  ['inserts no more than a row', `ab\b${csi('999@')}\n`, `a${' '.repeat(159)}\n`],
  ['blanks one', `abcd\r${csi('X')}\n`, ' bcd\n'],
  ['blanks some', `abcd\b\b\b${csi('2X')}\n`, 'a  d\n'],
  ['blanks up to the end', `abcd\b\b${csi('9X')}\n`, 'ab\n'],
])('%s', (_, log, expected) => {
  expect(settled(log)).toBe(expected);
});

test.each([
  ['inserted', `a\nb\nc${csi('A')}${csi('L')}X\n\n`, 'a\nX\nb\nc\n'],
  ['inserted, some', `a\nb${csi('2L')}X\n\n`, 'a\nX\n\nb\n'],
  ['deleted', `a\nb\nc${csi('A')}${csi('M')}X\n`, 'a\nX\n'],
  ['inserted at the top', 'a\x1bMX\n\n', ' X\na\n'],
])('rows are %s', (_, log, expected) => {
  expect(settled(log)).toBe(expected);
});

const hundred = Array.from({ length: 140 }, (_, row) => `line ${row}`);

test('rows inserted into a full screen overwrite nothing', () => {
  const lines = settled(`${hundred.join('\n')}\r${csi('99A')}${csi('2L')}X\nY\n`).split('\n');
  for (const line of [...hundred, 'X', 'Y']) expect(lines).toContain(line);
  expect(lines[lines.indexOf('Y') + 1]).toBe('line 40');
});

test('deleting rows pulls in none from above the screen', () => {
  const log = `${hundred.join('\n')}\r${csi('99A')}${csi('9M')}${csi('99A')}X\n`;
  const byte = toText(feed(settle(), ...Array.from(toBytes(log))));
  expect(settled(log)).toBe(byte);
  expect(byte.split('\n').slice(39, 42)).toEqual(['line 39', 'Xine 49', 'line 50']);
});

test.each([
  ['blanked', csi('9X')],
  ['deleted', csi('9P')],
])('a wrapped row that is entirely %s stays a row of its own', (_, sequence) => {
  const full = 'x'.repeat(160);
  expect(settled(`${full}y\r${sequence}\nz\n${csi('2A')}new\n`)).toBe(`${full}\nnew\nz\n`);
});

test.each([
  ['the alternate screen', csi('?1049h'), csi('?1049l')],
  ['the alternate screen of old', csi('?47h'), csi('?47l')],
  ['a private mode among others', csi('?25;1047h'), csi('?1047;25l')],
  ['a reset', '\x1bc', '\x1bc'],
])('text before %s is not overwritten', (_, open, close) => {
  const inside = `x${csi('9A')}y`;
  expect(settled(`a\nb\n${open}${inside}\n${close}c${csi('9A')}d\n`)).toBe('a\nb\nxy\ncd\n');
});

test('deleted and inserted cells keep their colors', () => {
  const coloured = (log: string): string => feed(settle({ colours: true }), log);
  const red = `${csi('31m')}r${csi('0m')}`;
  expect(coloured(`ab${red}c\r${csi('P')}\n`)).toBe(`b${red}c\n`);
  expect(coloured(`ab${red}c\r${csi('2@')}\n`)).toBe(`  ab${red}c\n`);
  expect(coloured(`ab${red}c\r${csi('31m')}${csi('2@')}${csi('m')}\n`)).toBe(`  ab${red}c\n`);
  expect(coloured(`${red}bc\r${csi('X')}\n`)).toBe(' bc\n');
  expect(coloured(`b${red}\r${csi('C')}${csi('K')}${csi('3C')}x\n`)).toBe('b   x\n');
});

test('removes a wide character under the cursor entirely', () => {
  expect(settled(`日本語\r${csi('C')}x\n`)).toBe(' x本語\n');
  expect(settled(`日本語\r${csi('2C')}x\n`)).toBe('日x 語\n');
  expect(settled(`日本語\r${csi('C')}言\n`)).toBe(' 言 語\n');
  expect(settled(`ab語\r${csi('C')}言\n`)).toBe('a言 \n');
});
