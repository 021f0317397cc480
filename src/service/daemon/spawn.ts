import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { CictlError, toJson } from '../../errors.ts';
import { makeFolder } from '../../common/write-files.ts';
import { findService } from '../admin.ts';
import { reserveIn } from '../data-folder.ts';
import type { ServiceState } from '../state.ts';
import type { Clock } from '../../common/clock.ts';
import type { Env } from '../../common/env.ts';

/** The log file of the background service, which `local logs` shows. */
export const serviceLog = (dataDir: string): string => join(dataDir, 'service.log');

interface Spawn {
  readonly dataDir: string;
  /** Program and arguments that run the service in the foreground. */
  readonly command: readonly [string, ...string[]];
  readonly env: Env;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * Starts the service in the background and waits for its report.
 *
 * @throws CictlError the reported error; `machine` if the service exits without a report or takes
 * longer than a minute, or if the data directory is not writable
 */
export async function spawnService(options: Spawn): Promise<ServiceState> {
  const { dataDir } = options;
  const log = await openLog(dataDir);
  const child = spawnDetached(options, log.fd);
  await log.close();
  const report = await waitForReport(child, options);
  if (report === undefined) child.kill();
  // Give the child process time to write the reason to its log.
  if (report?.error !== undefined) await hasExited(child);
  // Another process may have started a service at the same time and locked the directory first.
  const state = await findService(dataDir);
  if (state !== undefined) return state;
  if (report?.error === undefined)
    throw new CictlError('machine', 'the local service did not start', {
      hint: 'cictl local logs',
    });
  const { kind, message, details, hint } = report.error;
  throw new CictlError(kind, message, { details, ...(hint !== null && { hint }) });
}

/** Writes a first line to the log to detect a full disk, on which later output would be lost. */
async function openLog(dataDir: string): Promise<FileHandle> {
  try {
    await makeFolder(dataDir, 0o700);
    reserveIn(dataDir).release();
    const log = await open(serviceLog(dataDir), 'a', 0o600);
    await log.appendFile('starting the local service\n').catch(async (error: unknown) => {
      await log.close();
      throw error;
    });
    return log;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CictlError('machine', `cannot use the data directory ${dataDir}: ${reason}`, {
      hint: 'set CICTL_DATA_DIR to a writable directory',
      cause,
    });
  }
}

function spawnDetached({ command: [program, ...args], dataDir, env }: Spawn, log: number) {
  const child = spawn(program, args, {
    cwd: dataDir,
    env: { ...env },
    detached: true,
    stdio: ['ignore', log, log, 'ipc'],
  });
  child.unref();
  return child;
}

/** Milliseconds to wait for the start. Loading is slow on a cold disk or a busy machine. */
const longestWait = 60_000;

async function waitForReport(
  child: ChildProcess,
  { clock, signal }: Pick<Spawn, 'clock' | 'signal'>,
): Promise<StartReport | undefined> {
  const waiting = new AbortController();
  const timeout = clock.sleep(longestWait, AbortSignal.any([signal, waiting.signal]));
  try {
    return await Promise.race([reportOf(child), timeout.then(() => undefined)]);
  } finally {
    waiting.abort();
    if (child.connected) child.disconnect();
  }
}

function hasExited(child: ChildProcess): Promise<unknown> | undefined {
  if (child.exitCode !== null || child.signalCode !== null) return undefined;
  child.ref();
  return once(child, 'exit');
}

const reportOf = (child: ChildProcess): Promise<StartReport | undefined> =>
  new Promise((resolve) => {
    child.once('message', (report) => resolve(report as StartReport));
    child.once('disconnect', () => resolve(undefined));
    child.once('error', () => resolve(undefined));
  });

/** Sent to the process that started the service. Errors use the JSON format of command output. */
type StartReport =
  | { readonly url: string; readonly error?: undefined }
  | {
      readonly url?: undefined;
      readonly error: Pick<CictlError, 'kind' | 'message' | 'details'> & { hint: string | null };
    };

/** Reports the URL of the service, which another process may have started first. */
export const reportStarted = (url: string): Promise<void> => send({ url });

export const reportNotStarted = (error: unknown): Promise<void> =>
  send(JSON.parse(toJson(error)) as StartReport);

/** A no-op if the command was not started by `spawnService`. */
function send(report: StartReport): Promise<void> {
  return new Promise((resolve) => {
    if (process.send === undefined) {
      resolve();
      return;
    }
    process.send(report, undefined, undefined, () => {
      if (process.connected) process.disconnect();
      resolve();
    });
  });
}
