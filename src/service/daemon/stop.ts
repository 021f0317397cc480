import { CictlError } from '../../errors.ts';
import { callAdmin } from '../admin.ts';
import { readState, removeState, type ServiceState } from '../state.ts';
import type { Clock } from '../../common/clock.ts';
import { endLeftovers } from './end-leftovers.ts';
import { endProcess } from './end-process.ts';
import { isSameProcess, mayBeRunning } from './service-process.ts';

export interface Stop {
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
