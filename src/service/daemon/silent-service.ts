import { CictlError } from '../../errors.ts';
import { readState } from '../state.ts';
import { isSameProcess } from './service-process.ts';

/** The error for a service that does not respond though its process is there; undefined without one. */
export async function silentService(dataDir: string): Promise<CictlError | undefined> {
  const state = await readState(dataDir);
  if (state === undefined || !isSameProcess(state)) return undefined;
  const message = `the local service (process ${state.pid}) does not respond`;
  return new CictlError('unreachable', message, { hint: 'cictl local down' });
}
