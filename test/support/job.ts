/** Jobs for tests of the runner: real processes, and time that can be stopped. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import type { JobSpec, Outcome, Running } from '../../src/service/runner-port.ts';
import { createRunner, type RunnerOptions } from '../../src/service/runner/runner.ts';
import type { Timers } from '../../src/service/runner/stopper.ts';
import { usualRunOptions } from '../../src/service/run-options.ts';

let jobs = 0;

export interface JobOptions extends Partial<JobSpec> {
  readonly runner?: Partial<RunnerOptions>;
}

export interface Started extends Running {
  readonly id: string;
  /** The working directory. */
  readonly folder: string;
  readonly logFile: string;
  /** The complete log without timestamps; empty before the job starts. */
  readonly log: () => string;
  /** The log without the lines that show the command and how it failed. */
  readonly text: () => string;
  readonly bytes: () => Buffer;
}

/** A directory that is removed after the test. */
export function useFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cictl-runner-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export const hostOf = (folder: string) => ({
  ...{ HOME: folder, PATH: process.env['PATH'], LC_ALL: 'C', SECRET_OF_HOST: 'leak' },
});

/** Starts the script as a job in its own directory, with output to a pipe. */
export function start(command: string, { runner = {}, ...more }: JobOptions = {}): Started {
  const folder = more.cwd ?? useFolder();
  const id = `test-${process.pid}-${++jobs}`;
  const spec: JobSpec = {
    jobId: id,
    command,
    cwd: folder,
    env: { BUILDKITE_JOB_ID: id },
    hiddenEnv: {},
    path: [],
    secrets: [],
    timeout: null,
    scratch: join(useFolder(), 'scratch'),
    logFile: join(useFolder(), 'log'),
    maxLog: 1024 ** 3,
    preamble: [],
    tty: false,
    plugins: { uses: [], policy: usualRunOptions.plugins, from: null },
    checkout: {
      make: () => Promise.resolve(folder),
      empty: () => Promise.reject(new Error('unexpected call')),
      source: folder,
    },
    ...more,
  };
  const running = createRunner({ host: hostOf(folder), ...runner }).start(spec);
  const bytes = (): Buffer => readFileSync(spec.logFile);
  const log = (): string => logOf(bytes);
  const text = (): string => withoutFrame(log(), command);
  return { ...running, id, folder, logFile: spec.logFile, bytes, log, text };
}

function withoutFrame(log: string, command: string): string {
  const [before = '', after] = log.split(/~~~ Running (?:commands|script)\n\x1b\[90m\$\x1b\[0m /);
  if (after === undefined) return before;
  const shown = after.startsWith(command) ? command.length : after.indexOf('\n');
  const failure = /\n?\^\^\^ \+\+\+\n\x1b\[31m🚨 Error: The command .*\n/;
  return (
    before +
    after.slice(shown + 1).replace(failure, (found) => (found.startsWith('\n') ? '\n' : ''))
  );
}

function logOf(bytes: () => Buffer): string {
  try {
    return bytes()
      .toString()
      .replaceAll(/\x1b_bk;t=\d+\x07/g, '');
  } catch {
    return '';
  }
}

/** Runs a script to completion. */
export async function run(
  command: string,
  more?: JobOptions,
): Promise<Outcome & { text: string; log: string }> {
  const job = start(command, more);
  return { ...(await job.done), text: job.text(), log: job.log() };
}

/** Resolves when the job has printed the word, however long that takes. */
export async function seen(job: Started, word: string): Promise<void> {
  while (!job.text().includes(word)) await sleep(5);
}

/** Timers that only advance when `move` is called. */
export function manualTimers(): Timers & { move: (ms: number) => void } {
  let now = 1_000_000;
  let due: { at: number; act: () => void }[] = [];
  return {
    now: () => now,
    after(ms, act) {
      const timer = { at: now + ms, act };
      due.push(timer);
      return () => (due = due.filter((one) => one !== timer));
    },
    move(ms) {
      now += ms;
      const ready = due.filter(({ at }) => at <= now);
      due = due.filter(({ at }) => at > now);
      for (const { act } of ready) act();
    },
  };
}

export const isRunning = (pid: string): boolean => {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
};

/** Repeats an action until the promise has settled. */
export async function until(act: () => void, settled: Promise<unknown>): Promise<void> {
  const again = (): Promise<string> => sleep(5).then(() => 'again');
  while ((await Promise.race([settled, again()])) === 'again') act();
}
