import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import type { JobOutput } from './job-output.ts';
import { createPipes } from './output-pipe.ts';

/** What a process would do that has it as its output. */
function writer({ input }: JobOutput) {
  const own = openSync(`/proc/self/fd/${input}`, constants.O_WRONLY);
  onTestFinished(() => closeSync(own));
  return (text: string): void => void writeSync(own, text);
}

const inode = async ({ input }: JobOutput): Promise<string> => {
  const { readlink } = await import('node:fs/promises');
  return readlink(`/proc/self/fd/${input}`);
};

const isLinux = process.platform === 'linux';

test.runIf(isLinux)('a pipe that nobody has any more is that of the next job', async () => {
  const openPipe = createPipes();
  const first = await openPipe();
  const name = await inode(first);
  writeSync(first.input, 'a');
  expect(String((await once(first.output, 'data'))[0])).toBe('a');
  first.close();
  const second = await openPipe();
  expect(await inode(second)).toBe(name);
  writeSync(second.input, 'b');
  expect(String((await once(second.output, 'data'))[0])).toBe('b');
  second.close();
});

test.runIf(isLinux)('one to which somebody still can write is not', async () => {
  const openPipe = createPipes();
  const first = await openPipe();
  const name = await inode(first);
  const write = writer(first);
  first.close();
  const second = await openPipe();
  onTestFinished(() => second.close());
  expect(await inode(second)).not.toBe(name);
  expect(() => write('late')).toThrow('EPIPE');
});

test.runIf(isLinux)('nor one in which something is left', async () => {
  const openPipe = createPipes();
  const first = await openPipe();
  const name = await inode(first);
  writeSync(first.input, 'unread');
  first.close();
  const second = await openPipe();
  onTestFinished(() => second.close());
  expect(await inode(second)).not.toBe(name);
});

test.runIf(isLinux)('what is left in it can be taken at once', async () => {
  const pipe = await createPipes()();
  onTestFinished(() => pipe.close());
  expect(pipe.rest?.()).toEqual(Buffer.alloc(0));
  writeSync(pipe.input, 'now');
  expect(String(pipe.rest?.())).toBe('now');
  expect(pipe.rest?.()).toEqual(Buffer.alloc(0));
});
