import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { copyOutput } from './output-copy.ts';

test('what is left in the pipe stands behind what a slow log has kept waiting', async () => {
  const output = new PassThrough({ highWaterMark: 1 << 24 });
  let written = '';
  let goOn = (): void => undefined;
  const slow = new Promise<void>((resolve) => (goOn = resolve));
  const sink = async (chunk: Buffer): Promise<void> => {
    await slow;
    written += chunk.toString();
  };
  const rest = (): Buffer => Buffer.from('c');
  const copy = copyOutput(
    { input: -1, output, rest, close: () => undefined },
    sink,
    () => undefined,
  );
  output.write('a');
  await setImmediate();
  output.write('a'.repeat(2 << 20));
  await setImmediate();
  output.write('b');
  await setImmediate();
  expect(output.isPaused()).toBe(true);
  const done = copy.sync();
  goOn();
  await done;
  expect(written.replaceAll(/a+/g, 'a')).toBe('abc');
});
