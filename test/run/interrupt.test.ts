/** Ctrl-C, SIGTERM and the second Ctrl-C leave no process of a run behind. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cictl, startCictl } from '../support/cli.ts';
import { useHome, type Home } from '../support/home.ts';
import { pipelineIn } from './pipelines.ts';
import { ownSleep, processesWith, until } from './processes.ts';

/** A run whose job has a background child, interrupted once both are running. */
async function interrupted(
  job: string,
  mark: string,
  signals: readonly NodeJS.Signals[],
  after?: (home: Home) => Promise<unknown>,
) {
  const home = await useHome();
  await pipelineIn(home, 'demo', `steps: [{ label: long, command: '${job}' }]`);
  const child = startCictl(['run', 'demo'], home);
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  await until(() => stdout.includes('long | ready'));
  expect(await processesWith(mark)).not.toEqual([]);
  const [first, second] = signals;
  child.kill(first);
  if (second !== undefined) {
    // Two equal signals at once arrive as one.
    await until(() => stderr.includes('canceling build 1'));
    child.kill(second);
  }
  await after?.(home);
  const { exitCode } = await child;
  return { exitCode, stdout, left: await processesWith(mark) };
}

test.each([
  ['SIGINT', 130, ownSleep('7101.')],
  ['SIGTERM', 143, ownSleep('7102.')],
  ['SIGQUIT', 143, ownSleep('7105.')],
] as const)('%s cancels the build cleanly and exits with %i', async (signal, code, mark) => {
  const job = `${mark} & ${mark} & echo ready; wait`;
  const { exitCode, stdout, left } = await interrupted(job, mark, [signal]);
  expect(exitCode).toBe(code);
  expect(left).toEqual([]);
  expect(stdout).toMatch(/\tlong\tcanceled\t.*\n.*\tbuild\t1\tcanceled\t/);
});

test('ignores HUP unless a terminal was closed, as nohup requires', async () => {
  const mark = ownSleep('0.7104');
  const job = `echo ready; until test -e go; do ${mark}; done`;
  const { exitCode, stdout } = await interrupted(job, mark, ['SIGHUP'], ({ cwd }) =>
    writeFile(join(cwd, 'demo', 'go'), ''),
  );
  expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/\tbuild\t1\tpassed\t/)]);
});

test('--timeout kills a job that ignores TERM instead of waiting for it', async () => {
  const home = await useHome();
  const mark = ownSleep('0.7106');
  const job = `trap "" TERM; while true; do ${mark}; done`;
  await pipelineIn(home, 'demo', `steps: [{ command: '${job}' }]`);
  const { exitCode, stdout } = await cictl(['run', 'demo', '--timeout', '3s'], { home });
  expect(exitCode).toBe(124);
  // If it had waited for the job, the end of the build would be reported.
  expect(stdout).not.toContain('\tbuild\t1\tcanceled\t');
  expect(await processesWith(mark)).toEqual([]);
});

test('a second Ctrl-C kills what does not stop', async () => {
  const mark = ownSleep('0.7103');
  const job = `trap "" TERM INT; echo ready; while true; do ${mark}; done`;
  const { exitCode, stdout, left } = await interrupted(job, mark, ['SIGINT', 'SIGINT']);
  expect(exitCode).toBe(130);
  expect(left).toEqual([]);
  // Otherwise the job would have ten seconds, and the end of the build would be reported.
  expect(stdout).not.toContain('\tbuild\t1\tcanceled\t');
});
