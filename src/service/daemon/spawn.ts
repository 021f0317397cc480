/** The service in the background: a process of its own that outlives the command. */
import { spawn, type ChildProcess } from 'node:child_process';
import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { CictlError, toJson, type ErrorKind } from '../../errors.ts';
import { makeFolder } from '../../common/write-files.ts';
import { findService } from '../admin.ts';
import { reserveIn } from '../data-folder.ts';
import type { ServiceState } from '../state.ts';
import type { Clock } from '../../common/clock.ts';
import type { Env } from '../../common/env.ts';

/** What the service in the background prints; shown by `local logs`. */
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
 * Starts it and waits until it reports that it runs.
 *
 * @throws CictlError the error that the service reports, and `machine` where it ends without a
 * report, takes longer than a minute, or the folder cannot be written.
 */
export async function spawnService(options: Spawn): Promise<ServiceState> {
  const { dataDir } = options;
  const log = await openLog(dataDir);
  const child = spawnDetached(options, log.fd);
  await log.close();
  const report = await waitForReport(child, options);
  if (report?.url === undefined) child.kill();
  // Where it could not start, another that was started at the same time may have been faster.
  const state = await findService(dataDir);
  if (state !== undefined) return state;
  throw report?.error === undefined ? noReport() : startError(report.error);
}

const noReport = (): CictlError =>
  new CictlError('machine', 'the local service did not start', { hint: 'cictl local logs' });

/** What the service says on a full disk would be lost: that is found out here, with a first line. */
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
      hint: 'set CICTL_DATA_DIR to a folder that can be written',
      cause,
    });
  }
}

/** A process in a session of its own; the channel for its report is closed when that has come. */
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

/** Milliseconds; a cold disk, or a machine with too much to do, may take a while to read the program. */
const longestWait = 60_000;

/** Undefined where the process ends, or the time is over, without one. */
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

/** The channel closes with the process at the latest, and after every message. */
const reportOf = (child: ChildProcess): Promise<StartReport | undefined> =>
  new Promise((resolve) => {
    child.once('message', (report) => resolve(report as StartReport));
    child.once('disconnect', () => resolve(undefined));
    child.once('error', () => resolve(undefined));
  });

// How the service in the background says that it runs, or why it does not: one JSON message to the
// process that started it. Its log is for people alone.

/** The error has the JSON form that commands print. */
type StartReport =
  | { readonly url: string; readonly error?: undefined }
  | { readonly url?: undefined; readonly error: ReportedError };

interface ReportedError {
  readonly kind: ErrorKind;
  readonly message: string;
  readonly details: readonly string[];
  readonly hint: string | null;
}

/** Called where the service answers at `url`, be it this process or one that was faster. */
export const reportStarted = (url: string): Promise<void> => send({ url });

export const reportNotStarted = (error: unknown): Promise<void> =>
  send(JSON.parse(toJson(error)) as StartReport);

/** Nothing is sent where nobody waits for it: the flag was typed by hand, or the starter has ended. */
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

/** The error of a report, as it was thrown in the other process. */
const startError = ({ kind, message, details, hint }: ReportedError): CictlError =>
  new CictlError(kind, message, { details, ...(hint !== null && { hint }) });
