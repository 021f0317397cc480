import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { kill } from 'node:process';
import { attempt } from '../../common/attempt.ts';
import type { Clock } from '../../common/clock.ts';
import { CictlError } from '../../errors.ts';
import { callAdmin } from '../admin.ts';
import { isRunning, killLeftovers, startOf } from '../runner/processes.ts';
import { FolderInUseError, readState, removeState, type ServiceState } from '../state.ts';

interface Stop {
  readonly dataDir: string;
  readonly clock: Clock;
  /** Milliseconds after which an unresponsive service is considered hung; default 10,000. */
  readonly timeout?: number;
}

/**
 * Stops the service of a data directory. Waits until the service has stopped and, if its process
 * has no other purpose, until the process has exited. Kills a hung service, and processes that a
 * killed service left running. Returns false if no service was running.
 *
 * @throws CictlError `machine` if the service does not stop
 */
export async function stopService({ dataDir, clock, timeout }: Stop): Promise<boolean> {
  const state = await readState(dataDir);
  if (state === undefined) return false;
  const isStopping = await callAdmin(state, 'POST', '/down', undefined, timeout).then(
    () => true,
    () => false,
  );
  const wasRunning = isStopping || isSameProcess(state);
  const isGone = isStopping && (await waitUntilGone(dataDir, state, clock));
  if (!isGone && wasRunning) await endProcess(state, clock);
  if (!isGone) await endLeftovers(dataDir, clock);
  await removeState(dataDir, state);
  return wasRunning;
}

async function waitUntilGone(dataDir: string, state: ServiceState, clock: Clock): Promise<boolean> {
  const end = clock.now() + longestWait;
  while (clock.now() < end) {
    if (await isGone(dataDir, state)) return true;
    await clock.sleep(50);
  }
  if (state.ownsProcess) return false;
  throw new CictlError('machine', `the local service (process ${state.pid}) did not stop`, {
    hint: 'cictl local logs',
  });
}

/** Whether the service has stopped. A process with another purpose (`cictl run`) may continue. */
async function isGone(dataDir: string, state: ServiceState): Promise<boolean> {
  if (state.ownsProcess) return !mayBeRunning(state);
  return (await readState(dataDir))?.adminToken !== state.adminToken;
}

const longestWait = 30_000;

/**
 * Sends TERM to the process of a hung service, and KILL fifteen seconds later. A service that still
 * handles signals can stop its jobs in that time.
 * @throws CictlError `machine` if the process does not exit or has another purpose
 */
async function endProcess(state: ServiceState, clock: Clock): Promise<void> {
  if (!isSameProcess(state)) return;
  if (!state.ownsProcess) throw notEnded(state, 'does not respond');
  for (const [signal, wait] of steps) {
    // Throws if the process has exited or is another user's. The next line distinguishes the two.
    attempt(() => kill(state.pid, signal));
    if (await isGoneWithin(wait, state, clock)) return;
  }
  throw notEnded(state, 'did not stop');
}

const steps = [
  ['SIGTERM', 15_000],
  ['SIGKILL', 5_000],
] as const;

async function isGoneWithin(ms: number, state: ServiceState, clock: Clock): Promise<boolean> {
  const end = clock.now() + ms;
  while (clock.now() < end && isSameProcess(state)) await clock.sleep(50);
  return !isSameProcess(state);
}

const notEnded = ({ pid }: ServiceState, how: string): CictlError =>
  new CictlError('machine', `the local service (process ${pid}) ${how}`, { hint: `kill ${pid}` });

/** Kills processes that a killed service left running. Holds the lock so that no service starts. */
async function endLeftovers(dataDir: string, clock: Clock): Promise<void> {
  if (!existsSync(dataDir)) return;
  const { endControlGroup } = await import('../processes/control-group.ts');
  const { killLeftAgents } = await import('../processes/agent-processes.ts');
  const unlock = await lockSoon(dataDir, clock);
  // If the directory is locked or not writable, the next service kills these processes.
  if (unlock === undefined) return;
  await endControlGroup(dataDir).catch(() => undefined);
  killLeftovers({ jobIds: [], logs: join(dataDir, 'logs') });
  killLeftAgents(dataDir);
  unlock();
}

/** Tries for five seconds: a killed process holds the lock until all its threads have exited. */
async function lockSoon(dataDir: string, clock: Clock): Promise<(() => void) | undefined> {
  const { lockFolder } = await import('../store/lock.ts');
  for (const end = clock.now() + 5000; ;) {
    try {
      return lockFolder(dataDir);
    } catch (error) {
      if (!(error instanceof FolderInUseError) || clock.now() >= end) return undefined;
    }
    await clock.sleep(50);
  }
}

export async function silentService(dataDir: string): Promise<CictlError | undefined> {
  const state = await readState(dataDir);
  if (state === undefined || !isSameProcess(state)) return undefined;
  const message = `the local service (process ${state.pid}) does not respond`;
  return new CictlError('unreachable', message, { hint: 'cictl local down' });
}

/** Returns false if a new process may have reused the process ID. */
const isSameProcess = ({ pid, processStart }: ServiceState): boolean =>
  processStart !== null && isRunning(pid) && startOf(pid) === processStart;

/** Returns true if the system cannot tell whether a new process has reused the process ID. */
const mayBeRunning = (state: ServiceState): boolean =>
  isRunning(state.pid) && (state.processStart === null || isSameProcess(state));
