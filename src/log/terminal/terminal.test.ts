import { expect, test } from 'vitest';
import { terminal } from './terminal.ts';

const up = (lines: number): string => `\x1b[${lines}A`;

/** The log as it is left on a screen of so many rows; lines come through the screen. */
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
])('on %i rows the cursor goes up over the others', (height, expected) => {
  expect(shown(['a\n', 'b\n', 'c\n', `${up(9)}X\n`], height)).toBe(expected);
});

test('a second move up brings no more lines back than the screen has rows', () => {
  expect(shown(['a\n', 'b\n', 'c\n', `${up(1)}${up(9)}X\n`], 3)).toBe('a\nX\nc\n');
});

test('a line without end is let go but for the rows that a cursor can reach', () => {
  const screen = terminal({}, 2);
  const piece = Buffer.from('x'.repeat(300 * 1024));
  screen.interpret(piece, 0, piece.length);
  const given = screen.take();
  expect(given.length).toBeGreaterThan(piece.length - 3 * 160);
  screen.interpret(Buffer.from('\ry\n'), 0, 3);
  expect(given + screen.end()).toMatch(/^x{307040}yx{159}\n$/);
});
