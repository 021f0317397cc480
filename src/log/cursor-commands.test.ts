import { expect, test } from 'vitest';
import { feed } from '../../test/log/split.ts';
import { settle } from './settle.ts';
import { toBytes, toText } from './text.ts';

const esc = '\x1b';
const csi = (rest: string): string => `\x1b[${rest}`;
const settled = (log: string): string => toText(feed(settle(), toBytes(log)));

test.each([
  ['up', `one\ntwo${csi('A')}X\n\n`, 'oneX\ntwo\n'],
  ['up by a number', `a\nb\nc${csi('2A')}X\n\n\n`, 'aX\nb\nc\n'],
  ['up over the beginning', `a\nb${csi('9A')}X\n\n`, 'aX\nb\n'],
  ['down', `a\nb\nc\n${csi('3A')}${csi('B')}X\n\n`, 'a\nX\nc\n'],
  ['down by a number', `a\nb\nc\n${csi('3A')}${csi('2B')}X\n`, 'a\nb\nX\n'],
  ['down, by its other name', `a\nb\nc\n${csi('3A')}${csi('2e')}X\n`, 'a\nb\nX\n'],
  ['down, but not below the last row', `a\n${csi('A')}${csi('9B')}X\n`, 'a\nX\n'],
  ['to the right', `a${csi('C')}X\n`, 'a X\n'],
  ['to the right by a number', `abcdef\r${csi('3C')}X\n`, 'abcXef\n'],
  ['to the right, by its other name', `abcdef\r${csi('3a')}X\n`, 'abcXef\n'],
  ['to the left', `abc${csi('D')}X\n`, 'abX\n'],
  ['to the left by a number', `abc${csi('2D')}X\n`, 'aXc\n'],
  ['to the left over the margin', `abc${csi('9D')}X\n`, 'Xbc\n'],
  ['to the start of a row below', `ab\ncd\n${csi('2A')}AB${csi('E')}X\n`, 'AB\nXd\n'],
  ['to the start of a row further below', `a\nb\nc\n${csi('3A')}A${csi('2E')}X\n`, 'A\nb\nX\n'],
  ['to the start of a row above', `ab\ncd${csi('F')}X\n\n`, 'Xb\ncd\n'],
  ['to the start of a row further above', `ab\nc\nd${csi('2F')}X\n\n\n`, 'Xb\nc\nd\n'],
  ['to a column', `abcd${csi('2G')}X\n`, 'aXcd\n'],
  ['to a column, by its other name', `abcd${csi('2`')}X\n`, 'aXcd\n'],
  ['to the first column', `abcd${csi('G')}X\n`, 'Xbcd\n'],
  ['to the top', `ab\ncd\n${csi('H')}X\n\n`, 'Xb\ncd\n'],
  ['to a row', `ab\ncd\nef\n${csi('2H')}X\n\n`, 'ab\nXd\nef\n'],
  ['to a place', `abc\ndef\nghi\n${csi('2;3H')}X\n\n`, 'abc\ndeX\nghi\n'],
  ['to a place, by its other name', `abc\ndef\nghi\n${csi('2;3f')}X\n\n`, 'abc\ndeX\nghi\n'],
  ['to a row in the same column', `abc\ndef\nghi${csi('2d')}X\n\n`, 'abc\ndefX\nghi\n'],
  ['to a row below the last', `ab\ncd${csi('9;1H')}X\n`, 'ab\nXd\n'],
  ['back to where it was saved', `ab${esc}7cd${esc}8X\n`, 'abXd\n'],
  ['back to the row too', `ab\ncd${csi('A')}${esc}7${csi('B')}X${esc}8Y\n\n`, 'abY\ncdX\n'],
  ['back, by the other names', `ab\ncd${csi('A')}${csi('s')}\n${csi('u')}Y\n\n`, 'abY\ncd\n'],
  ['back to the first column, where nothing was saved', `ab${esc}8X\n`, 'Xb\n'],
  ['up by a short sequence', `a\nb${esc}M!\n\n`, 'a!\nb\n'],
  ['on by a short sequence', `a${esc}Db${esc}Ec\n`, 'a\nb\nc\n'],
])('the cursor goes %s', (_, log, expected) => {
  expect(settled(log)).toBe(expected);
});

test('nothing and 0 as a number of steps mean 1', () => {
  for (const final of 'ABCDEFGHPX@def`a') {
    const log = (count: string): string => `abc\ndef\nghi${csi('2;2H')}${csi(count + final)}X\n`;
    expect([final, settled(log('')), settled(log('0'))]).toEqual([
      final,
      settled(log('1')),
      settled(log('1')),
    ]);
  }
});

test('the right margin is column 160, or behind the line where that is longer', () => {
  const far = csi('999C');
  expect(settled(`a${far}X\n`)).toBe(`a${' '.repeat(158)}X\n`);
  expect(settled(`a${csi('999G')}X\n`)).toBe(`a${' '.repeat(158)}X\n`);
  expect(settled(`${'y'.repeat(159)}\r${far}X\n`)).toBe(`${'y'.repeat(159)}X\n`);
  expect(settled(`${'y'.repeat(200)}\r${far}X\n`)).toBe(`${'y'.repeat(200)}X\n`);
});

const rows = (count: number): string[] => Array.from({ length: count }, (_, row) => `row ${row}`);

test('rows count from the top of a screen of a hundred, wherever the log is', () => {
  const at = (sequence: string, index: number): void => {
    const lines = rows(150);
    const expected = [...lines];
    expected[index] = `X${(lines[index] ?? '').slice(1)}`;
    expect(settled(`${lines.join('\n')}\n${sequence}X${csi('999B')}\n`)).toBe(
      `${expected.join('\n')}\n\n`,
    );
  };
  // Of the hundred the last is the one that the cursor was on.
  at(csi('H'), 51);
  at(csi('2H'), 52);
  at(csi('d'), 51);
  at(csi('99d'), 149);
  at(csi('999A'), 51);
  at(csi('99A'), 51);
  at(csi('98A'), 52);
});

test('a log shorter than the screen counts its rows from its beginning', () => {
  expect(settled(`a\nb\n${csi('2d')}X\n`)).toBe('a\nX\n');
  expect(settled(`a\rb\nc\n${csi('2d')}X\n`)).toBe('b\nX\n');
});
