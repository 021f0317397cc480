import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { toExit } from '../errors.ts';
import { ReaderGone } from '../render/data-stream.ts';
import { dataStream, type OutputTarget } from './streams.ts';

const target = (shape: object): OutputTarget => Object.assign(new PassThrough(), shape);

test.each([
  [{ isTTY: true, columns: 120, rows: 50 }, true, 120, 50],
  [{ isTTY: true, columns: 0, rows: 0 }, true, 80, 24],
  [{}, false, Infinity, Infinity],
])('%j', (shape, isTerminal, width, height) => {
  expect(dataStream(target(shape))).toMatchObject({ isTerminal, width, height });
});

test('sees the terminal change its size', () => {
  const shape = target({ isTTY: true, columns: 80 });
  const stream = dataStream(shape);
  Object.assign(shape, { columns: 40 });
  expect(stream.width).toBe(40);
});

test('waits until the reader has taken the data', async () => {
  const child = spawn(process.execPath, ['-e', 'process.stdin.pipe(process.stdout)']);
  const chunk = 'x'.repeat(1 << 20);
  const stream = dataStream(child.stdin);
  let taken = 0;
  child.stdout.on('data', (data: Buffer) => (taken += data.length));
  for (let round = 0; round < 4; round += 1) {
    await stream.write(chunk);
    expect(child.stdin.writableLength).toBe(0);
  }
  await stream.close();
  child.stdin.end();
  await once(child, 'close');
  expect(taken).toBe(4 << 20);
});

test('reports a reader that is gone, again and again', async () => {
  const child = spawn(process.execPath, ['-e', '']);
  const stream = dataStream(child.stdin);
  await once(child, 'exit');
  await expect(stream.write('x'.repeat(1 << 20))).rejects.toBeInstanceOf(ReaderGone);
  await expect(stream.write('y')).rejects.toBeInstanceOf(ReaderGone);
  await expect(stream.close()).rejects.toBeInstanceOf(ReaderGone);
});

test.skipIf(!existsSync('/dev/full'))('reports a full disk', async () => {
  const stream = dataStream(createWriteStream('/dev/full'));
  const failure = stream.write('x');
  await expect(failure).rejects.toThrow('standard output cannot be written: ENOSPC');
  await expect(failure).rejects.toSatisfy((error) => toExit(error) === 10);
});

test.skipIf(!existsSync('/dev/full'))(
  'a full disk is no matter where nothing is said',
  async () => {
    await expect(dataStream(createWriteStream('/dev/full')).close()).resolves.toBeUndefined();
  },
);
