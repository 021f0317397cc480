import { expect, test } from 'vitest';
import { createPainter } from './live.ts';

function onScreen(width: number) {
  const writes: string[] = [];
  const screen = {
    width,
    write: (data: string): Promise<void> => {
      writes.push(data);
      return Promise.resolve();
    },
  };
  return { painter: createPainter(screen), screen, writes };
}

test('a frame takes the place of the one before, in one write', async () => {
  const { painter, writes } = onScreen(80);
  await painter.paint(['one', 'two']);
  await painter.paint(['three']);
  expect(writes).toEqual(['one\ntwo\n', '\r\x1b[2A\x1b[Jthree\n']);
});

test('text goes by above', async () => {
  const { painter, writes } = onScreen(80);
  await painter.paint(['frame']);
  await painter.above('log line\n');
  expect(writes[1]).toBe('\r\x1b[1A\x1b[Jlog line\nframe\n');
});

test('what has not changed is not written', async () => {
  const { painter, writes } = onScreen(80);
  await painter.paint(['frame']);
  await painter.paint(['frame']);
  expect(writes).toHaveLength(1);
});

test('lines that came to wrap in a narrower terminal are erased whole', async () => {
  const { painter, screen, writes } = onScreen(80);
  await painter.paint(['x'.repeat(50), 'y']);
  Object.assign(screen, { width: 20 });
  await painter.paint(['z']);
  expect(writes[1]).toBe('\r\x1b[4A\x1b[Jz\n');
});
