import { once } from 'node:events';
import { closeSync, constants, openSync, writeSync } from 'node:fs';
import process from 'node:process';
import { expect, onTestFinished, test } from 'vitest';
import { isRunning, manualTimers, run, seen, start } from '../../../test/support/job.ts';
import { createPipes, type JobOutput } from './job-output.ts';

const tty = { tty: true };

test('a job has one terminal with 160 columns and colors for input and output', async () => {
  const script =
    '[ -t 0 ] && [ -t 1 ] && [ -t 2 ] && tput cols; echo $TERM; [ $(readlink /proc/$$/fd/0) = $(readlink /proc/$$/fd/1) ]';
  expect(await run(script, tty)).toMatchObject({
    exitStatus: 0,
    text: '160\r\nxterm-256color\r\n',
  });
});

test('a job that reads its terminal waits until its timeout', async () => {
  const timers = manualTimers();
  const job = start('echo ready; cat', { ...tty, timeout: 60_000, runner: { timers } });
  await seen(job, 'ready');
  timers.move(60_000);
  expect(await job.done).toMatchObject({ signal: 'SIGTERM', timedOut: true });
});

test('a job can set its own TERM', async () => {
  expect((await run('echo $TERM', { ...tty, env: { TERM: 'dumb' } })).text).toBe('dumb\r\n');
});

test("git does not wait for a password, and /dev/tty is the job's terminal", async () => {
  const { text } = await run('echo "prompt $GIT_TERMINAL_PROMPT" > /dev/tty', tty);
  expect(text).toBe('prompt 0\r\n');
});

test('streams can be reopened by name', async () => {
  const { text } = await run('echo a > /dev/stderr; echo b > /dev/stdout; echo c', tty);
  expect(text).toBe('a\r\nb\r\nc\r\n');
});

test.each([
  ['exit 7', { exitStatus: 7, signal: null, signalReason: null }],
  ['kill -SEGV $$', { exitStatus: -1, signal: 'SIGSEGV', signalReason: null }],
])('%s ends as it does with a pipe', async (script, expected) => {
  expect(await run(script, tty)).toMatchObject(expected);
});

test('keeps the order in which both streams were written', async () => {
  const { text } = await run('for n in $(seq 300); do echo "out $n"; echo "err $n" >&2; done', tty);
  const expected = Array.from({ length: 300 }, (_, n) => `out ${n + 1}\r\nerr ${n + 1}\r\n`);
  expect(text).toBe(expected.join(''));
});

test('loses nothing when many jobs end', async () => {
  const last = async (): Promise<string> => (await run('seq 20000', tty)).text.slice(-14);
  const all = await Promise.all(Array.from({ length: 12 }, last));
  expect(all).toEqual(all.map(() => '19999\r\n20000\r\n'));
});

test('keeps output without newlines and arbitrary bytes', async () => {
  const script = String.raw`head -c 300000 /dev/zero | tr '\0' x; printf 'a\xff\xfe\xc3'`;
  const job = start(script, tty);
  await job.done;
  expect(job.bytes().subarray(-4)).toEqual(Buffer.from([0x61, 0xff, 0xfe, 0xc3]));
  expect(job.text().length).toBeGreaterThan(300_000);
});

test('kills a background child that keeps the terminal', async () => {
  const job = start('sleep 1000 & echo "child $!"', tty);
  await job.done;
  expect(isRunning(/child (\d+)/.exec(job.text())?.[1] ?? '')).toBe(false);
});

test('cancel kills all processes, and the log has their last output', async () => {
  const child = 'trap "" HUP; trap "echo bye; exit" TERM; echo ready; while :; do sleep 0.01; done';
  const job = start(`bash -c '${child}' & wait`, tty);
  await seen(job, 'ready');
  job.cancel();
  expect(await job.done).toMatchObject({ signal: 'SIGTERM', signalReason: 'cancel' });
  expect(job.text()).toMatch(/^ready\r\n.*bye\r\n.*cictl: canceled\n$/s);
});

test('a full disk fails the job', async () => {
  const job = start('yes', { ...tty, logFile: '/dev/full' });
  expect(await job.done).toMatchObject({ exitStatus: -1, signalReason: 'process_run_error' });
});

test('redacts a multi-line secret', async () => {
  const env = { DEPLOY_KEY: '-----\nsesame\n-----\n' };
  expect((await run('echo "$DEPLOY_KEY"', { ...tty, env })).text).toBe('[REDACTED]\r\n\r\n');
});

test.runIf(process.platform === 'linux')(
  'no job inherits the outer end of a terminal',
  async () => {
    const script = 'for file in /proc/$$/fd/*; do readlink "$file"; done';
    const all = await Promise.all(Array.from({ length: 4 }, () => run(script, tty)));
    for (const { text } of all) {
      expect(text).toContain('/dev/pts/');
      expect(text).not.toContain('ptmx');
    }
  },
);

/** Writes like a process with this output. */
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

test.runIf(isLinux)('reuses a pipe that no process holds any more', async () => {
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

test.runIf(isLinux)('does not reuse a pipe that a process can still write to', async () => {
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

test.runIf(isLinux)('does not reuse a pipe that still contains data', async () => {
  const openPipe = createPipes();
  const first = await openPipe();
  const name = await inode(first);
  writeSync(first.input, 'unread');
  first.close();
  const second = await openPipe();
  onTestFinished(() => second.close());
  expect(await inode(second)).not.toBe(name);
});

test.runIf(isLinux)('data left in a pipe can be read at once', async () => {
  const pipe = await createPipes()();
  onTestFinished(() => pipe.close());
  expect(pipe.rest?.()).toEqual(Buffer.alloc(0));
  writeSync(pipe.input, 'now');
  expect(String(pipe.rest?.())).toBe('now');
  expect(pipe.rest?.()).toEqual(Buffer.alloc(0));
});
