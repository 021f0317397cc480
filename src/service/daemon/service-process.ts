import { CictlError } from '../../errors.ts';
import { readState, type ServiceState } from '../state.ts';
import { isRunning, startOf } from '../processes/running-process.ts';

/** The error for a service that does not respond though its process is there; undefined without one. */
export async function silentService(dataDir: string): Promise<CictlError | undefined> {
  const state = await readState(dataDir);
  if (state === undefined || !isSameProcess(state)) return undefined;
  const message = `the local service (process ${state.pid}) does not respond`;
  return new CictlError('unreachable', message, { hint: 'cictl local down' });
}

// The process of a service, as its state file names it.

/** Whether it is there for certain: its id may be that of another process by now. */
export const isSameProcess = ({ pid, processStart }: ServiceState): boolean =>
  processStart !== null && isRunning(pid) && startOf(pid) === processStart;

/** Whether it is there, as far as the system says. */
export const mayBeRunning = (state: ServiceState): boolean =>
  isRunning(state.pid) && (state.processStart === null || isSameProcess(state));
