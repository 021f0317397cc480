import { kill } from 'node:process';
import type { Clock } from '../../common/clock.ts';
import { CictlError } from '../../errors.ts';
import type { ServiceState } from '../state.ts';
import { isSameProcess } from './service-process.ts';

/**
 * Ends the process of a service that hangs: TERM, and KILL fifteen seconds later, since its jobs get
 * ten if it still reacts. Another process that has its id by now is left alone.
 *
 * @throws CictlError `machine` where it goes on, or is a program that does more than this.
 */
export async function endProcess(state: ServiceState, clock: Clock): Promise<void> {
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
