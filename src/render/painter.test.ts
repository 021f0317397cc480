import { expect, test } from 'vitest';
import { createPainter, type Painter } from './painter.ts';

/**
 * A terminal that supports what the view uses: wrapping text, newline, up, erase, cursor on and
 * off.
 */
function screen(width: number, height: number) {
  const writes: string[] = [];
  const rows: string[] = [''];
  let [row, column] = [0, 0];
  let cursor = true;
  const put = (character: string): void => {
    if (column >= width) [row, column] = [row + 1, 0];
    const line = (rows[row] ?? '').padEnd(column);
    rows[row] = line.slice(0, column) + character + line.slice(column + 1);
    column += 1;
  };
  const obey: Record<string, (count: number) => void> = {
    A: (count) => (row = Math.max(0, row - count)),
    K: () => (rows[row] = (rows[row] ?? '').slice(0, column)),
    J: () => {
      rows[row] = (rows[row] ?? '').slice(0, column);
      rows.length = row + 1;
    },
    h: () => (cursor = true),
    l: () => (cursor = false),
    m: () => undefined,
  };
  const feed = (text: string): void => {
    for (const [token, digits, letter] of text.matchAll(/\x1b\[\??([\d;]*)([A-Za-z])|[^]/g)) {
      if (letter !== undefined) obey[letter]?.(Number(digits));
      else if (token === '\r') column = 0;
      else if (token === '\n') [row, column] = [row + 1, 0];
      else put(token);
    }
  };
  return {
    width,
    height,
    writes,
    write: (data: string | Uint8Array): Promise<void> => {
      writes.push(String(data));
      feed(String(data));
      return Promise.resolve();
    },
    lines: () => rows.map((line) => line.trimEnd()),
    cursor: () => cursor,
  };
}

const both = (width: number, height: number): [ReturnType<typeof screen>, Painter] => {
  const terminal = screen(width, height);
  return [terminal, createPainter(terminal)];
};

test('each frame replaces the previous one in one write', async () => {
  const [terminal, painter] = both(20, 10);
  await painter.paint(['one', 'two is longer', 'three']);
  expect(terminal.lines()).toEqual(['one', 'two is longer', 'three', '']);
  expect(terminal.cursor()).toBe(false);
  await painter.paint(['one', 'two']);
  expect(terminal.lines()).toEqual(['one', 'two', '']);
  await painter.paint(['one', 'two']);
  expect(terminal.writes).toHaveLength(2);
  await painter.close();
  expect(terminal.lines()).toEqual(['one', 'two', '']);
  expect(terminal.cursor()).toBe(true);
});

test('lines above the frame stay', async () => {
  const [terminal, painter] = both(20, 10);
  await painter.paint(['frame', 'of two']);
  await painter.above('first\n');
  await painter.paint(['a frame of four rows', 'a frame of four rows', 'that is', 'shorter']);
  await painter.above('a line that is as long as two\n');
  await painter.paint(['frame']);
  await painter.close();
  expect(terminal.lines()).toEqual(['first', 'a line that is as lo', 'ng as two', 'frame', '']);
});

test('clips a frame to the terminal, but the last one only to its width', async () => {
  const [terminal, painter] = both(8, 4);
  const lines = ['a', 'b', 'a long line', 'd', 'e'];
  await painter.paint(lines);
  expect(terminal.lines()).toEqual(['a', 'b', '… 3 more', '']);
  await painter.close();
  expect(terminal.lines()).toEqual(['a', 'b', 'a long …', 'd', 'e', '']);
});

test('clipping keeps colors and resets them', async () => {
  const [terminal, painter] = both(6, 4);
  await painter.paint(['\x1b[31mred and long\x1b[39m', '\x1b[32mgreen\x1b[39m']);
  expect(terminal.writes[0]).toContain(
    '\x1b[K\x1b[31mred a…\x1b[0m\n\x1b[K\x1b[32mgreen\x1b[39m\n',
  );
});

test('only colors of a line reach the terminal', async () => {
  const [terminal, painter] = both(40, 4);
  await painter.paint(['\x1b[1mbold\x1b[0m \x1b[2J\x1b]0;title\x07text\r\nmore\x9b5A']);
  expect(terminal.writes[0]).toContain('\x1b[K\x1b[1mbold\x1b[0m text more\n');
});

test('handles a terminal whose narrower width wrapped the previous frame', async () => {
  const [terminal, painter] = both(20, 10);
  await painter.paint(['0123456789', 'ab']);
  terminal.width = 5;
  await painter.paint(['x']);
  expect(terminal.writes[1]).toMatch(/^\x1b\[3A\r/);
});

test('a painter that showed nothing leaves nothing, and can close twice', async () => {
  const [terminal, painter] = both(20, 10);
  await painter.close();
  await painter.close();
  expect(terminal.writes).toEqual([]);
});
