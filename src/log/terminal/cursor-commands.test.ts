import { expect, test } from 'vitest';
import { feed } from '../../../test/log/split.ts';
import { settle } from '../settle.ts';
import { toBytes, toText } from '../text.ts';

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
  ['down over the last row, which makes rows', `a${csi('3B')}X\n`, 'a\n\n\n X\n'],
  [
    'down, but not below the terminal',
    `${'a\n'.repeat(120)}${csi('9B')}X\n`,
    `${'a\n'.repeat(120)}X\n`,
  ],
  ['to the right', `a${csi('C')}X\n`, 'a X\n'],
  ['to the right by a number', `abcdef\r${csi('3C')}X\n`, 'abcXef\n'],
  ['to the right, by its other name', `abcdef\r${csi('3a')}X\n`, 'abcXef\n'],
  ['to the left', `abc${csi('D')}X\n`, 'abX\n'],
  ['to the left by a number', `abc${csi('2D')}X\n`, 'aXc\n'],
  ['a character again', `ab${csi('b')}${csi('2b')}c\n`, 'abbbbc\n'],
  ['a wide character again', `a日${csi('b')}c\n`, 'a日日c\n'],
  ['to the left over the margin', `abc${csi('9D')}X\n`, 'Xbc\n'],
  ['to the start of a row below', `ab\ncd\n${csi('2A')}AB${csi('E')}X\n`, 'AB\nXd\n'],
  ['to the start of a row further below', `a\nb\nc\n${csi('3A')}A${csi('2E')}X\n`, 'A\nb\nX\n'],
  ['to the start of a row above', `ab\ncd${csi('F')}X\n\n`, 'Xb\ncd\n'],
  ['to the start of a row further above', `ab\nc\nd${csi('2F')}X\n\n\n`, 'Xb\nc\nd\n'],
  ['to a column', `abcd${csi('2G')}X\n`, 'aXcd\n'],
  ['to a column, by its other name', `abcd${csi('2`')}X\n`, 'aXcd\n'],
  ['to the first column', `abcd${csi('G')}X\n`, 'Xbcd\n'],
  ['to the top, which is below', `ab\ncd\n${csi('H')}X\n`, 'ab\ncd\nX\n'],
  ['to a row, which is below', `ab\ncd\nef\n${csi('2H')}X\n`, 'ab\ncd\nef\nX\n'],
  ['to a column of a row, which is below', `abc\ndef\n${csi('2;3H')}X\n`, 'abc\ndef\n  X\n'],
  ['there, by its other name', `abc\ndef\n${csi('2;3f')}X\n`, 'abc\ndef\n  X\n'],
  ['to a row in the same column', `abc\ndef${csi('2d')}X\n`, 'abc\ndef\n   X\n'],
  ['to several rows, in the order of writing', `a${csi('9H')}X${csi('3H')}Y\n`, 'a\nX\nY\n'],
  ['to a row and up from it', `a${csi('9H')}X\r${csi('3A')}Y\n`, 'a\nY\n\n\nX\n'],
  ['not to a row twice', `a\n${csi('H')}${csi('H')}X\n`, 'a\nX\n'],
  ['back to where it was saved', `ab${esc}7cd${esc}8X\n`, 'abXd\n'],
  ['back to the row too', `ab\ncd${csi('A')}${esc}7${csi('B')}X${esc}8Y\n\n`, 'abY\ncdX\n'],
  ['back, by the other names', `ab\ncd${csi('A')}${csi('s')}\n${csi('u')}Y\n\n`, 'abY\ncd\n'],
  ['back below, where nothing was saved', `ab${esc}8X\n`, 'ab\nX\n'],
  [
    'back to its row, which has moved on',
    `${'a\n'.repeat(99)}b${esc}7\nc\n${esc}8X\n\n`,
    `${'a\n'.repeat(99)}bX\nc\n`,
  ],
  ['up by a short sequence', `a\nb${esc}M!\n\n`, 'a!\nb\n'],
  ['on by a short sequence', `a${esc}Db${esc}Ec\n`, 'a\n b\nc\n'],
])('the cursor moves %s', (_, log, expected) => {
  expect(settled(log)).toBe(expected);
});

test('an empty or zero count means 1', () => {
  for (const final of 'ABCDEFGHPX@def`a') {
    const log = (count: string): string => `abc\ndef\nghi${csi('2;2H')}${csi(count + final)}X\n`;
    expect([final, settled(log('')), settled(log('0'))]).toEqual([
      final,
      settled(log('1')),
      settled(log('1')),
    ]);
  }
});

test('wraps at column 160', () => {
  const far = csi('999C');
  expect(settled(`a${far}X\n`)).toBe(`a${' '.repeat(158)}X\n`);
  expect(settled(`a${csi('999G')}X\n`)).toBe(`a${' '.repeat(158)}X\n`);
  expect(settled(`${'y'.repeat(160)}\b\0X\n`)).toBe(`${'y'.repeat(158)}Xy\n`);
  expect(settled(`${'y'.repeat(200)}\r${far}X\n`)).toBe(`${'y'.repeat(200)}${' '.repeat(119)}X\n`);
});

test('a line of several rows is one line whose rows the cursor can reach', () => {
  const long = 'y'.repeat(160) + 'z'.repeat(90);
  expect(settled(`${long}\n${csi('A')}X\n`)).toBe(`${'y'.repeat(160)}X${'z'.repeat(89)}\n`);
  expect(settled(`${long}\n${csi('2A')}X\n\n`)).toBe(`X${'y'.repeat(159)}\n${'z'.repeat(90)}\n`);
  expect(settled(`a\n${long}\n${csi('3A')}X\n\n\n`)).toBe(
    `X\n${'y'.repeat(160)}\n${'z'.repeat(90)}\n`,
  );
  expect(settled(`${long}${csi('2K')}!\n`)).toBe(`${'y'.repeat(160)}\n${' '.repeat(90)}!\n`);
});

const rows = (count: number): string[] => Array.from({ length: count }, (_, row) => `row ${row}`);

test('the cursor moves up at most a screen of a hundred rows', () => {
  const at = (sequence: string, index: number): void => {
    const lines = rows(150);
    const expected = [...lines];
    expected[index] = `X${(lines[index] ?? '').slice(1)}`;
    expect(settled(`${lines.join('\n')}\n${sequence}X${csi('999B')}\n`)).toBe(
      `${expected.join('\n')}\n\n`,
    );
  };
  // The cursor was on the last of the hundred rows.
  at(csi('999A'), 51);
  at(csi('99A'), 51);
  at(csi('98A'), 52);
});
