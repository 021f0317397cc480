import { CictlError } from '../../errors.ts';
import { callAdmin, findService } from '../admin.ts';
import { readState, removeState } from '../state.ts';
import type { Clock } from '../../clock.ts';

/**
 * Ends the service of the data folder and waits until it is gone; false where none ran.
 *
 * @throws CictlError `machine` when it does not end: its jobs get ten seconds after TERM.
 */
export async function stopService(dataDir: string, clock: Clock): Promise<boolean> {
  const before = await readState(dataDir);
  const state = await findService(dataDir);
  if (state === undefined) {
    // What a service that was killed has left behind.
    if (before !== undefined) await removeState(dataDir, before);
    return false;
  }
  await callAdmin(state, 'POST', '/down');
  const end = clock.now() + longestWait;
  while (clock.now() < end) {
    const left = await readState(dataDir);
    if (left?.pid !== state.pid) return true;
    await clock.sleep(50);
  }
  throw new CictlError('machine', `the local service (process ${state.pid}) does not end`, {
    hint: 'cictl local logs',
  });
}

const longestWait = 30_000;
