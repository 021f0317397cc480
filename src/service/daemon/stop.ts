import { kill } from 'node:process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CictlError } from '../../errors.ts';
import { callAdmin } from '../admin.ts';
import { readState, removeState, type ServiceState } from '../state.ts';
import type { Clock } from '../../common/clock.ts';
import { isSameProcess, mayBeRunning } from './service-process.ts';

interface Stop {
  readonly dataDir: string;
  readonly clock: Clock;
  /** Milliseconds until a service that does not respond is taken to hang; default 10 s. */
  readonly timeout?: number;
}

/**
 * Ends the service of the data folder and waits until it is gone, the process too where that is
 * there for the service alone; false where none ran. One that hangs is killed, and so is what it or
 * a service that was killed has left running.
 *
 * @throws CictlError `machine` when it does not end: its jobs get ten seconds after TERM.
 */
export async function stopService({ dataDir, clock, timeout }: Stop): Promise<boolean> {
  const state = await readState(dataDir);
  if (state === undefined) return false;
  const isAsked = await callAdmin(state, 'POST', '/down', undefined, timeout).then(
    () => true,
    () => false,
  );
  const wasRunning = isAsked || isSameProcess(state);
  const isGone = isAsked && (await waitUntilGone(dataDir, state, clock));
  if (!isGone && wasRunning) await endProcess(state, clock);
  // What a service that was killed has left behind.
  if (!isGone) await endLeftovers(dataDir);
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
  throw new CictlError('machine', `the local service (process ${state.pid}) does not end`, {
    hint: 'cictl local logs',
  });
}

/** A process that does more than this, a `run` for one, may go on. */
async function isGone(dataDir: string, state: ServiceState): Promise<boolean> {
  if (state.ownsProcess) return !mayBeRunning(state);
  return (await readState(dataDir))?.adminToken !== state.adminToken;
}

const longestWait = 30_000;

/**
 * Ends the process of a service that hangs: TERM, and KILL fifteen seconds later, since its jobs get
 * ten if it still reacts. Another process that has its id by now is left alone.
 *
 * @throws CictlError `machine` where it goes on, or is a program that does more than this.
 */
async function endProcess(state: ServiceState, clock: Clock): Promise<void> {
  if (!isSameProcess(state)) return;
  if (!state.ownsProcess) throw notEnded(state, 'does not respond');
  for (const [signal, wait] of steps) {
    send(state.pid, signal);
    if (await isGoneWithin(wait, state, clock)) return;
  }
  throw notEnded(state, 'does not end');
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

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    kill(pid, signal);
  } catch {
    // Gone meanwhile, or another user's: the wait shows which.
  }
}

const notEnded = ({ pid }: ServiceState, how: string): CictlError =>
  new CictlError('machine', `the local service (process ${pid}) ${how}`, { hint: `kill ${pid}` });

/**
 * Ends what the jobs of a service that was killed have left running. Nothing happens where another
 * service has the folder by now: what runs is its own, or was ended by it.
 */
async function endLeftovers(dataDir: string): Promise<void> {
  if (!existsSync(dataDir)) return;
  const { lockFolder } = await import('../store/lock.ts');
  const { endControlGroup } = await import('../processes/control-group.ts');
  const { killLeftovers } = await import('../runner/leftovers.ts');
  const { killLeftAgents } = await import('../processes/left-processes.ts');
  try {
    const unlock = lockFolder(dataDir);
    await endControlGroup(dataDir);
    killLeftovers({ jobIds: [], logs: join(dataDir, 'logs') });
    killLeftAgents(dataDir);
    unlock();
  } catch {
    // Locked by another, or not to be written: the next service sees to it.
  }
}
