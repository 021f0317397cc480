/** The service for a command that needs one: the one that runs, else one in this process. */
import type { Clock } from '../../context.ts';
import { findService } from '../admin.ts';
import { FolderHeld } from '../held.ts';
import type { ServiceOptions } from '../service.ts';
import type { ServiceState } from '../state.ts';

/** A service in use. */
export interface Hosted {
  readonly state: Omit<ServiceState, 'pid'>;
  /** It runs in this process and ends with it. */
  readonly own: boolean;
  /** This process, which the service is to outlive. */
  readonly guest: number;
  /** Ends the service where it is our own, with all that it runs; `kill` leaves it no time. */
  close(kill?: boolean): Promise<void>;
}

/**
 * Uses the service that runs on the data folder, else starts one in this process. Two commands
 * that start at once come to share one service: the folder is held by the first of them.
 */
export async function hostService(
  options: Pick<ServiceOptions, 'dataDir' | 'slots' | 'hostEnv'>,
  clock: Clock,
): Promise<Hosted> {
  const running = await findService(options.dataDir);
  if (running !== undefined) return borrowed(running);
  try {
    return await ownService(options);
  } catch (error) {
    if (!(error instanceof FolderHeld)) throw error;
    return borrowed(await findSoon(options.dataDir, clock, error));
  }
}

const borrowed = (state: ServiceState): Hosted => ({
  state,
  own: false,
  guest: process.pid,
  close: () => Promise.resolve(),
});

async function ownService(options: ServiceOptions): Promise<Hosted> {
  const { startService } = await import('../service.ts');
  const service = await startService(options);
  const close = (kill = false): Promise<void> => service.close({ kill });
  return { state: service, own: true, guest: process.pid, close };
}

/** The holder of the folder may need a moment until it answers. */
async function findSoon(dataDir: string, clock: Clock, held: FolderHeld): Promise<ServiceState> {
  for (let attempt = 0; attempt < 50; attempt++) {
    const state = await findService(dataDir);
    if (state !== undefined) return state;
    await clock.sleep(100);
  }
  throw held;
}
