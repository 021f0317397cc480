import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import {
  hostOf,
  isRunning,
  manualTimers,
  run,
  seen,
  start,
  until,
  useFolder,
} from '../../../test/support/job.ts';
import { createRunner } from './runner.ts';

test('a script ends with its own exit status', async () => {
  expect(await run('echo out; exit 7')).toMatchObject({
    ...{ exitStatus: 7, signal: null, signalReason: null, timedOut: false },
    text: 'out\n',
  });
});

test('a script stops at the first failing command', async () => {
  expect(await run('echo one\nfalse\necho two')).toMatchObject({ exitStatus: 1, text: 'one\n' });
});

test('keeps the order in which both streams were written', async () => {
  const { text } = await run('for n in $(seq 300); do echo "out $n"; echo "err $n" >&2; done');
  const expected = Array.from({ length: 300 }, (_, n) => `out ${n + 1}\nerr ${n + 1}\n`);
  expect(text).toBe(expected.join(''));
});

test('streams can be reopened by name', async () => {
  const { text } = await run('echo a > /dev/stderr; echo b | tee /dev/stderr > /dev/null; echo c');
  expect(text).toBe('a\nb\nc\n');
});

test('standard input is empty, and no startup file is read', async () => {
  expect(await run('readlink /proc/self/fd/0; cat; echo "$BASH_ENV."')).toMatchObject({
    text: '/dev/null\n.\n',
  });
});

test("a job sees its own variables and a few of the host's", async () => {
  const more = {
    env: { A: 'env', HOME: '/own' },
    hiddenEnv: { B: 'hidden' },
    path: ['/first', '/second'],
  };
  const { text } = await run('env | sort; echo "$PATH"', more);
  expect(text.split('\n')).toEqual(expect.arrayContaining(['A=env', 'B=hidden', 'HOME=/own']));
  expect(text).toContain('LC_ALL=C\n');
  expect(text).not.toContain('leak');
  expect(text.trimEnd().split('\n').at(-1)).toBe(`/first:/second:${process.env['PATH'] ?? ''}`);
});

test('every line starts with its timestamp, the preamble too', async () => {
  const timers = manualTimers();
  const job = start("printf 'a\\rb\\n\\nc'", { preamble: ['first'], runner: { timers } });
  await job.done;
  const mark = '\x1b_bk;t=1000000\x07';
  expect(
    job
      .bytes()
      .toString()
      .replace(/^.*Running[^]*?printf[^]*?\n/m, ''),
  ).toBe(`${mark}first\n${mark}a\rb\n${mark}\n${mark}c`);
});

test('keeps invalid UTF-8', async () => {
  const job = start(String.raw`printf 'a\xff\xfe\xc3'; sleep 0.05; printf '\xa9\n'`);
  await job.done;
  const text = Buffer.from([0x61, 0xff, 0xfe, 0xc3, 0xa9, 0x0a]);
  expect(job.bytes().subarray(-text.length)).toEqual(text);
});

test('appends to an existing log', async () => {
  const logFile = join(useFolder(), 'appended.log');
  await start('echo one', { logFile }).done;
  await start('echo two', { logFile }).done;
  expect(readFileSync(logFile, 'utf8')).toMatch(/one\n.*two\n$/s);
});

test('large output is complete when the job ends', async () => {
  const job = start('yes 0123456789 | head -n 200000');
  await job.done;
  expect(job.text().length).toBe(200_000 * 11);
});

test('redacts secrets, in chunks too', async () => {
  const more = {
    env: { API_TOKEN: 'sesame-open', SHORT_KEY: 'tiny', BUILDKITE_STEP_KEY: 'unit-tests' },
    secrets: ['given'],
  };
  const { text } = await run(
    'printf sesame-; sleep 0.05; echo "open; $SHORT_KEY given $BUILDKITE_STEP_KEY"',
    more,
  );
  expect(text).toBe('[REDACTED]; tiny [REDACTED] unit-tests\n');
});

test('reports a signal by name', async () => {
  expect(await run('kill -SEGV $$')).toMatchObject({
    exitStatus: -1,
    signal: 'SIGSEGV',
    signalReason: null,
  });
});

test('a background child that holds the pipe is killed after a second', async () => {
  const timers = manualTimers();
  const job = start('sleep 1000 & echo "child $!"; exit 3', { runner: { timers } });
  await seen(job, 'child');
  const child = /child (\d+)/.exec(job.text())?.[1] ?? '';
  await until(() => timers.move(1000), job.done);
  expect(await job.done).toMatchObject({ exitStatus: 3, signal: null, signalReason: null });
  expect(isRunning(child)).toBe(false);
});

test('a background child that closed its output is killed too', async () => {
  const { text } = await run('sleep 1000 > /dev/null 2>&1 & echo $!');
  expect(isRunning(text.trim())).toBe(false);
});

/** A process whose parent has exited and that has left its session. */
const forgotten = `setsid sh -c '(sh -c "echo child \\$\\$; exec sleep 1000" &)'`;

test.each([
  ['a child of the shell', 'sleep 1000 & echo "child $!"; wait'],
  ['a group of its own', 'set -m; sleep 1000 & echo "child $!"; wait'],
  [
    'a group of its own that does not know the job',
    'set -m; env -u BUILDKITE_JOB_ID sleep 1000 & echo "child $!"; wait',
  ],
  ['a session of its own', 'setsid sh -c \'echo "child $$"; exec sleep 1000\' & wait; sleep 1000'],
  ['a daemon', `(setsid sh -c 'echo "child $$"; exec sleep 1000' &) ; sleep 1000`],
  ['under nohup', `nohup sh -c 'echo "child $$"; exec sleep 1000' & disown; sleep 1000`],
  ['without an environment', `env -i ${forgotten}; sleep 1000`],
  [
    'without an environment, and closed to us',
    `env -i setsid sh -c 'echo "child $$"; exec sleep 1000 > /dev/null 2>&1' & sleep 1000`,
  ],
  ['under timeout', 'timeout 1000 sh -c \'echo "child $$"; exec sleep 1000\''],
])('cancel stops all processes: %s', async (_, script) => {
  const job = start(script, { runner: { timers: manualTimers() } });
  await seen(job, 'child');
  job.cancel();
  expect(await job.done).toMatchObject({ signalReason: 'cancel', timedOut: false });
  const child = /child (\d+)/.exec(job.text())?.[1] ?? '';
  expect(isRunning(child)).toBe(false);
  expect(job.text()).toMatch(/\ncictl: canceled\n$/);
});

test('cancel lets a job shut down cleanly', async () => {
  const script = 'trap "echo bye; exit 5" TERM; echo ready; while :; do sleep 0.01; done';
  const job = start(script, { runner: { timers: manualTimers() } });
  await seen(job, 'ready');
  job.cancel();
  expect(await job.done).toMatchObject({ exitStatus: 5, signal: null, signalReason: 'cancel' });
  expect(job.text()).toContain('bye\n');
});

test('the log has the last output of children', async () => {
  const child = 'trap "sleep 0.1; echo bye; exit" TERM; echo ready; while :; do sleep 0.01; done';
  const job = start(`bash -c '${child}' & wait`, { runner: { timers: manualTimers() } });
  await seen(job, 'ready');
  job.cancel();
  expect(await job.done).toMatchObject({ signal: 'SIGTERM' });
  expect(job.text()).toContain('bye\n');
});

test('sends KILL ten seconds after TERM', async () => {
  const timers = manualTimers();
  const job = start('trap "echo no" TERM; echo ready; while :; do sleep 0.01 || :; done', {
    runner: { timers },
  });
  await seen(job, 'ready');
  job.cancel();
  await seen(job, 'no');
  timers.move(9_999);
  await sleep(50);
  expect(job.text()).not.toContain('canceled');
  timers.move(1);
  expect(await job.done).toMatchObject({ exitStatus: -1, signal: 'SIGKILL' });
});

test('kill stops a job immediately', async () => {
  const job = start('trap "" TERM; echo ready; while :; do sleep 0.01; done', {
    runner: { timers: manualTimers() },
  });
  await seen(job, 'ready');
  job.kill();
  expect(await job.done).toMatchObject({ signal: 'SIGKILL', signalReason: 'agent_stop' });
});

test('a timeout stops a job', async () => {
  const timers = manualTimers();
  const job = start('echo ready; sleep 1000', { timeout: 60_000, runner: { timers } });
  await seen(job, 'ready');
  timers.move(60_000);
  expect(await job.done).toEqual({
    exitStatus: -1,
    signal: 'SIGTERM',
    signalReason: 'cancel',
    timedOut: true,
  });
  expect(job.text()).toBe('ready\ncictl: stopped after its timeout of 60 s\n');
});

test('a job canceled before it starts runs nothing', async () => {
  const job = start('echo ran');
  job.cancel();
  expect(await job.done).toMatchObject({ exitStatus: -1, signalReason: 'cancel' });
  expect(job.text()).not.toContain('ran');
});

test.each([
  ['a missing folder', { cwd: '/does/not/exist' }, 'the directory /does/not/exist does not exist'],
  ['a NUL character', { env: { A: 'a\0b' } }, 'null bytes'],
])('the log reports %s', async (_, more, reason) => {
  const outcome = await run('echo ran', more);
  expect(outcome).toMatchObject({ exitStatus: -1, signalReason: 'process_run_error' });
  expect(outcome.text).toContain(`cictl: cannot run the job: `);
  expect(outcome.text).toContain(reason);
});

test('a full disk fails the job', async () => {
  const job = start('yes', { logFile: '/dev/full' });
  expect(await job.done).toMatchObject({ exitStatus: -1, signalReason: 'process_run_error' });
});

test('a log that cannot be opened fails the job', async () => {
  const job = start('echo ran', { logFile: join(useFolder(), 'no', 'log') });
  expect(await job.done).toMatchObject({ exitStatus: -1, signalReason: 'process_run_error' });
});

test('the next service kills processes left behind by a lost one', async () => {
  const script = 'trap "" TERM; setsid sleep 1000 > /dev/null & echo "child $!"; sleep 1000';
  const job = start(script, { runner: { timers: manualTimers() } });
  await seen(job, 'child');
  createRunner({ host: hostOf('/') }).reap?.({ jobIds: [job.id], logs: useFolder() });
  expect(await job.done).toMatchObject({ signal: 'SIGKILL', signalReason: null });
  expect(isRunning(/child (\d+)/.exec(job.text())?.[1] ?? '')).toBe(false);
});

test('a process without session and environment is found by the directory of its log', async () => {
  const job = start(`env -i ${forgotten}; sleep 1000`, { runner: { timers: manualTimers() } });
  await seen(job, 'child');
  createRunner({ host: hostOf('/') }).reap?.({ jobIds: [], logs: dirname(job.logFile) });
  await job.done;
  expect(isRunning(/child (\d+)/.exec(job.text())?.[1] ?? '')).toBe(false);
});

test('keeps a password out of the log, however its variable is named', async () => {
  const env = { DB_PASSWD: 'open-sesame', DEPLOY_CREDENTIALS: 'me:hunter22', STEP: 'unit-tests' };
  const { text } = await run('echo "$DB_PASSWD $DEPLOY_CREDENTIALS $STEP"', { env });
  expect(text).toBe('[REDACTED] [REDACTED] unit-tests\n');
});
