import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { toExit } from '../errors.ts';
import { ReaderGone } from '../render/data-stream.ts';
import { dataStream, type OutputTarget, wantsColor } from './streams.ts';

const target = (shape: object): OutputTarget => Object.assign(new PassThrough(), shape);

test.each([
  [{ isTTY: true, columns: 120, rows: 50 }, true, 120, 50],
  [{ isTTY: true, columns: 0, rows: 0 }, true, 80, 24],
  [{}, false, Infinity, Infinity],
])('%j', (shape, isTerminal, width, height) => {
  expect(dataStream(target(shape))).toMatchObject({ isTerminal, width, height });
});

test('notices when the terminal is resized', () => {
  const shape = target({ isTTY: true, columns: 80 });
  const stream = dataStream(shape);
  Object.assign(shape, { columns: 40 });
  expect(stream.width).toBe(40);
});

test('waits until the reader has consumed the data', async () => {
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

test('reports a closed reader every time', async () => {
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
  await expect(failure).rejects.toThrow('cannot write to standard output: ENOSPC');
  await expect(failure).rejects.toSatisfy((error) => toExit(error) === 10);
});

test.skipIf(!existsSync('/dev/full'))('ignores a full disk if nothing is printed', async () => {
  await expect(dataStream(createWriteStream('/dev/full')).close()).resolves.toBeUndefined();
});

test.each([
  ['a terminal', undefined, {}, true, true],
  ['a pipe', undefined, {}, false, false],
  ['--color in a pipe', true, { NO_COLOR: '1' }, false, true],
  ['--no-color', false, { FORCE_COLOR: '1' }, true, false],
  ['NO_COLOR before FORCE_COLOR', undefined, { NO_COLOR: '1', FORCE_COLOR: '1' }, true, false],
  ['NO_COLOR with any value', undefined, { NO_COLOR: '0' }, true, false],
  ['an empty NO_COLOR', undefined, { NO_COLOR: '' }, true, true],
  ['FORCE_COLOR in a pipe', undefined, { FORCE_COLOR: '1' }, false, true],
  ['FORCE_COLOR=0', undefined, { FORCE_COLOR: '0' }, false, false],
  ['FORCE_COLOR=0 on a terminal', undefined, { FORCE_COLOR: '0' }, true, true],
  ['CLICOLOR_FORCE in a pipe', undefined, { CLICOLOR_FORCE: '1' }, false, true],
  [
    'CLICOLOR_FORCE before CLICOLOR=0',
    undefined,
    { CLICOLOR_FORCE: '1', CLICOLOR: '0' },
    true,
    true,
  ],
  ['an empty CLICOLOR_FORCE', undefined, { CLICOLOR_FORCE: '' }, false, false],
  ['CLICOLOR=0', undefined, { CLICOLOR: '0' }, true, false],
  ['CLICOLOR=1 in a pipe', undefined, { CLICOLOR: '1' }, false, false],
  ['TERM=dumb', undefined, { TERM: 'dumb' }, true, false],
  ['FORCE_COLOR before TERM=dumb', undefined, { TERM: 'dumb', FORCE_COLOR: '1' }, true, true],
] as const)('%s', (_, flag, env, isTerminal, wanted) => {
  expect(wantsColor(flag, env, isTerminal)).toBe(wanted);
});
