/** The service in the background: a process of its own that outlives the command. */
import { spawn } from 'node:child_process';
import { open, readFile, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { CictlError } from '../../errors.ts';
import { makeFolder } from '../../make-folder.ts';
import { findService } from '../admin.ts';
import type { ServiceState } from '../state.ts';
import type { Clock } from '../../clock.ts';
import type { Env } from '../../env.ts';

/** What the service in the background prints; shown by `local logs`. */
export const serviceLog = (dataDir: string): string => join(dataDir, 'service.log');

export interface Spawn {
  readonly dataDir: string;
  /** Program and arguments that run the service in the foreground. */
  readonly command: readonly [string, ...string[]];
  readonly env: Env;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * Starts it and waits until it answers.
 *
 * @throws CictlError `machine` with the service's own words when it ends before it answers, and
 * where the folder cannot be written.
 */
export async function spawnService(options: Spawn): Promise<ServiceState> {
  const { dataDir, clock, signal } = options;
  const { log, size } = await openLog(dataDir);
  const child = spawnDetached(options, log.fd);
  await log.close();
  const end = clock.now() + longestWait;
  while (child.alive() && clock.now() < end) {
    const state = await findService(dataDir);
    if (state !== undefined) return state;
    await clock.sleep(50, signal);
  }
  child.end();
  // Another that was started at the same time may have been faster.
  const other = await findService(dataDir);
  if (other !== undefined) return other;
  throw await failure(dataDir, size);
}

/** What the service says on a full disk would be lost: that is found out here, with a first line. */
async function openLog(dataDir: string): Promise<{ log: FileHandle; size: number }> {
  try {
    await makeFolder(dataDir, 0o700);
    const log = await open(serviceLog(dataDir), 'a', 0o600);
    await log.appendFile('starting the local service\n').catch(async (error: unknown) => {
      await log.close();
      throw error;
    });
    return { log, size: (await log.stat()).size };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CictlError('machine', `cannot use the data folder ${dataDir}: ${reason}`, {
      hint: 'set CICTL_DATA_DIR to a folder that can be written',
      cause,
    });
  }
}

/** Milliseconds; a cold disk may take a while to read the program. */
const longestWait = 20_000;

function spawnDetached({ command: [program, ...args], dataDir, env }: Spawn, log: number) {
  const child = spawn(program, args, {
    cwd: dataDir,
    env: { ...env },
    detached: true,
    stdio: ['ignore', log, log],
  });
  let alive = true;
  const ended = (): void => void (alive = false);
  child.on('exit', ended).on('error', ended);
  child.unref();
  return { alive: () => alive, end: () => child.kill() };
}

/** How an error and its hint begin (`toText`). */
const told = 'cictl: ';
const hinted = '  try: ';

/** The error that the service printed last, behind the log's former end. */
async function failure(dataDir: string, from: number): Promise<CictlError> {
  const log = await readFile(serviceLog(dataDir));
  const lines = log.subarray(from).toString().split('\n');
  const last = lines.findLastIndex((line) => line.startsWith(told));
  const message = lines[last]?.slice(told.length);
  if (message === undefined)
    return new CictlError('machine', 'the local service did not start', {
      hint: 'cictl local logs',
    });
  const next = lines[last + 1] ?? '';
  const hint = next.startsWith(hinted) ? next.slice(hinted.length) : undefined;
  return new CictlError('machine', message, hint === undefined ? {} : { hint });
}
