import { expect, test } from 'vitest';
import { terminal, createScrollback } from './terminal.ts';
import { feed } from '../../../test/log/split.ts';
import { settle } from '../settle.ts';

const up = (lines: number): string => `\x1b[${lines}A`;

/** The final log on a screen with this many rows; all lines pass through the screen. */
function shown(lines: readonly string[], height: number): string {
  const screen = terminal({}, height);
  let text = '';
  for (const line of lines) {
    screen.interpret(Buffer.from(line), 0, line.length);
    text += screen.take();
  }
  return text + screen.end();
}

test.each([
  [1, 'a\nb\nc\nX\n'],
  [2, 'a\nb\nX\n'],
  [3, 'a\nX\nc\n'],
  [4, 'X\nb\nc\n'],
  [5, 'X\nb\nc\n'],
])('with %i rows, the cursor moves up over the others', (height, expected) => {
  expect(shown(['a\n', 'b\n', 'c\n', `${up(9)}X\n`], height)).toBe(expected);
});

test('a second move up brings back at most a screen of lines', () => {
  expect(shown(['a\n', 'b\n', 'c\n', `${up(1)}${up(9)}X\n`], 3)).toBe('a\nX\nc\n');
});

test('flushes an endless line except for the rows the cursor can reach', () => {
  const screen = terminal({}, 2);
  const piece = Buffer.from('x'.repeat(300 * 1024));
  screen.interpret(piece, 0, piece.length);
  const given = screen.take();
  expect(given.length).toBeGreaterThan(piece.length - 3 * 160);
  screen.interpret(Buffer.from('\ry\n'), 0, 3);
  expect(given + screen.end()).toMatch(/^x{307040}yx{159}\n$/);
});

const csi = (rest: string): string => `\x1b[${rest}`;
const [red, green, off] = [csi('31m'), csi('32m'), csi('0m')];

/** On a screen with this many rows, with colors, in these chunks. */
const coloured = (rows: number, ...pieces: string[]): string =>
  feed(settle({ colours: true }, rows), ...pieces);

test.each<[string, number, string[], string]>([
  [
    'of lines that have passed',
    2,
    [`${red}a\nb\nc\n`, `d\n${csi('A')}X${off}\ne\n`],
    `${red}a\nb\nc\nX${off}\ne\n`,
  ],
  [
    'that a line above had set',
    3,
    [`${red}a\n${green}b\nc${off}\n`, `d\n${csi('2A')}X\n\n`],
    `${red}a\n${green}b\n${off}X\nd\n`,
  ],
  [
    'behind lines that were gone back to',
    100,
    [`${red}a\nb\n${csi('A')}${off}X\n`, 'd\n', `${red}z`],
    `${red}a\n${off}X\nd\n${red}z`,
  ],
  [
    'behind an interpreted line',
    100,
    [`${red}a\n\0b\n`, `c\n${off}d\n`],
    `${red}a\nb${off}\n${red}c\n${off}d\n`,
  ],
  [
    'before an interpreted line',
    100,
    [`${red}\0a\nb\n\0${off}c\n`, 'd\n'],
    `${red}a${off}\n${red}b\n${off}c\nd\n`,
  ],
  ['that a line is begun with', 100, [`a\nb${red}\rc\nd\n`], `a\n${red}c${off}\n${red}d\n`],
])('colors are correct %s', (_, rows, pieces, expected) => {
  expect(coloured(rows, ...pieces)).toBe(expected);
});

test.each([
  [`${csi('2A')}X\n\n`, 'a\nX\nc\n'],
  [`${csi('3A')}X\n\n\n`, 'X\nb\nc\n'],
  [`${csi('A')}X${csi('A')}Y\n\n`, 'a\nbY\nX\n'],
  [`${csi('A')}X${csi('2A')}Y\n\n\n`, 'aY\nb\nX\n'],
  [`x${csi('A')}Y\n\n`, 'a\nb\ncY\nx\n'],
  [`x${csi('2A')}Y${csi('B')}Z\n\n`, 'a\nbY\nc Z\nx\n'],
  [`${csi('3A')}X${csi('3B')}\nd\n`, 'X\nb\nc\n\nd\n'],
])('lines above come back and stay in order: %j', (rest, expected) => {
  for (const pieces of [[`a\nb\nc\n${rest}`], ['a\nb\n', 'c\n', rest], ['a\n', `b\nc\n${rest}`]])
    expect(feed(settle(), ...pieces)).toBe(expected);
});

test('brings back at most a screen, wherever it was split', () => {
  const lines = Array.from({ length: 250 }, (_, line) => `${line}\n`);
  const expected = [...lines];
  expected[151] = 'X51\n';
  const up = `${csi('999A')}X${csi('99B')}\r`;
  expect(feed(settle(), `${lines.join('')}${up}end\n`)).toBe(`${expected.join('')}end\n`);
  expect(feed(settle(), ...lines, `${up}end\n`)).toBe(`${expected.join('')}end\n`);
});

test('streams everything except the last lines', () => {
  const stage = settle();
  const chunk = Buffer.from(`${'x'.repeat(99)}\n`.repeat(1000));
  let given = 0;
  for (let read = 1; read <= 20; read++) {
    given += stage.push(chunk).length;
    const kept = read * chunk.length - given;
    expect(kept).toBeGreaterThanOrEqual(99 * 100);
    expect(kept).toBeLessThanOrEqual(16 * 1024);
  }
  expect(given + stage.end().length).toBe(20 * chunk.length);
});

test('streams small chunks when more than a screen is buffered', () => {
  const stage = settle();
  const line = Buffer.from(`${'x'.repeat(99)}\n`);
  let given = 0;
  for (let read = 1; read <= 2000; read++) {
    given += stage.push(line).length;
    expect(read * 100 - given).toBeLessThanOrEqual(16 * 1024 + 100);
  }
  expect(given + stage.end().length).toBe(2000 * 100);
});

test('moving the cursor back costs little, however much came before', () => {
  const scrollback = createScrollback(3);
  const line = `${'x'.repeat(99)}\n`;
  let read = 0;
  for (let count = 0; count < 10_000; count++) {
    scrollback.add(line);
    const { lines, before } = scrollback.lift(1);
    read = Math.max(read, before.lines.length);
    scrollback.add(lines);
  }
  expect(read).toBeLessThan(40_000);
  expect(scrollback.takeAll()).toBe(line.repeat(10_000));
});
