/** The cost of a job for this process, counted in started processes and read files. */
import { ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { expect, onTestFinished, test, vi } from 'vitest';
import { command, planOf } from '../../../test/support/plans.ts';
import { until, useScheduler } from '../../../test/support/scheduler.ts';
import { usualRunOptions } from '../run-options.ts';
import { createRunner } from '../runner/runner.ts';

/** The names of programs started from now on. */
function usePrograms(): string[] {
  const programs: string[] = [];
  const prototype = ChildProcess.prototype as unknown as {
    spawn: (this: unknown, options: { file: string }) => unknown;
  };
  const { spawn } = prototype;
  const spy = vi.spyOn(prototype, 'spawn').mockImplementation(function (this: unknown, options) {
    programs.push(options.file);
    return spawn.call(this, options);
  });
  onTestFinished(() => spy.mockRestore());
  return programs;
}

/** The directories listed from now on. */
function useFolders(): string[] {
  const folders: string[] = [];
  const { readdirSync } = fs;
  const spy = vi.spyOn(fs, 'readdirSync').mockImplementation(((folder: string, ...more: []) => {
    folders.push(folder);
    return readdirSync(folder, ...more);
  }) as typeof readdirSync);
  syncBuiltinESMExports();
  onTestFinished(() => {
    spy.mockRestore();
    syncBuiltinESMExports();
  });
  return folders;
}

/** Runs a build with this many jobs that do nothing. */
async function runJobs(count: number, tty = false): Promise<void> {
  const runner = createRunner({ host: process.env });
  const { engine, build, store } = useScheduler({ runner });
  await engine.start();
  const commands = Array.from({ length: count }, () => command('true'));
  const options = { ...usualRunOptions, tty };
  const { id } = await build({ plan: planOf(...commands), options });
  await until(() => store.builds.tree(id)?.build.finishedAt !== null);
  expect(store.builds.tree(id)?.build.state).toBe('passed');
}

test('a job is one process, plus one shared for all pipes', async () => {
  const programs = usePrograms();
  await runJobs(32);
  expect(programs.filter((file) => file === 'mkfifo')).toHaveLength(1);
  expect(programs).toHaveLength(32 + 1);
});

test('with a terminal, a job is exactly one process', async () => {
  const programs = usePrograms();
  await runJobs(4, true);
  expect(programs).toHaveLength(4);
});

test('processes are listed only if a job is stopped', async () => {
  const folders = useFolders();
  fs.readdirSync('/');
  await runJobs(8);
  // The service's own directory, listed once.
  expect(folders.filter((folder) => !folder.endsWith('log-pieces'))).toEqual(['/']);
});
