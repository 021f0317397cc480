import { expect, test } from 'vitest';
import { terminal } from './terminal.ts';

const up = (lines: number): string => `\x1b[${lines}A`;

/** The log as it is left on a screen of so many rows; lines come through the screen. */
function shown(lines: readonly string[], height: number): string {
  const screen = terminal({}, height);
  let text = '';
  for (const line of lines) {
    screen.interpret(line);
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

test('a line without end is let go when it is wider than 64 Ki cells', () => {
  const screen = terminal({}, 1);
  const widest = 'x'.repeat(64 * 1024);
  screen.interpret(widest);
  expect([screen.isCalm(), screen.take().length]).toEqual([false, 0]);
  screen.interpret('y');
  expect([screen.isCalm(), screen.take().length]).toEqual([true, widest.length + 1]);
  screen.interpret('z\n');
  expect(screen.end()).toBe('z\n');
});
