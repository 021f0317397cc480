import { CictlError } from '../../errors.ts';
import { callAdmin, findService } from '../admin.ts';
import { FolderInUseError, type ServiceState } from '../state.ts';
import type { Service, ServiceOptions } from '../start-service.ts';
import type { Clock } from '../../common/clock.ts';

/** A service in use. */
export interface Hosted {
  readonly state: Omit<ServiceState, 'pid' | 'ownsProcess' | 'processStart'>;
  /** It runs in this process and ends with it. */
  readonly isOwn: boolean;
  /** This process, which the service is to outlive. */
  readonly attachedPid: number;
  /** Settles with the reason where the service is our own and its data folder has gone. */
  readonly folderGone: Promise<Error>;
  /** Whether no other process waits for a build of a service of our own: then it may be closed. */
  leave(): boolean;
  /** Ends the service where it is our own, with all that it runs; `kill` leaves it no time. */
  close(kill?: boolean): Promise<void>;
}

/**
 * Uses the service that runs on the data folder, else starts one in this process. Two commands
 * that start at once come to share one service: the folder is locked by the first of them.
 *
 * @param usualPort where others look for it; where that is taken, it gets that of last time or any other
 */
export async function hostService(
  options: HostOptions,
  clock: Clock,
  usualPort?: number,
): Promise<Hosted> {
  for (;;) {
    const host = await ownOrBorrowed(options, clock, usualPort);
    if (host.isOwn || (await isAttached(host))) return host;
    await clock.sleep(100);
  }
}

/** One that closes just now is refused: what it were asked for would end with it. */
const isAttached = ({ state, attachedPid: pid }: Hosted): Promise<boolean> =>
  callAdmin(state, 'POST', '/attached-runs', { pid }).then(
    () => true,
    (error: unknown) =>
      !(error instanceof CictlError && (error.kind === 'unreachable' || error.status === 503)),
  );

type HostOptions = Pick<ServiceOptions, 'dataDir' | 'slots' | 'hostEnv' | 'isConfined'>;

async function ownOrBorrowed(
  options: HostOptions,
  clock: Clock,
  usualPort: number | undefined,
): Promise<Hosted> {
  const running = await findService(options.dataDir);
  if (running !== undefined) return borrowed(running);
  const { own, other } = await startOrFind(
    { ...options, ...(usualPort !== undefined && { port: usualPort }) },
    clock,
  ).catch((error: unknown) => {
    if (usualPort === undefined || error instanceof FolderInUseError) throw error;
    return startOrFind(options, clock);
  });
  return own === undefined ? borrowed(other) : owned(own);
}

type Started =
  | { readonly own: Service; readonly other?: undefined }
  | { readonly own?: undefined; readonly other: ServiceState };

/**
 * A service in this process, or the one that has the folder already. That one may need a moment
 * until it answers, and may end before it does; then the folder is free.
 *
 * @throws FolderInUseError when its owner does not respond within a minute.
 */
export async function startOrFind(options: ServiceOptions, clock: Clock): Promise<Started> {
  const { startService } = await import('../start-service.ts');
  const end = clock.now() + longestStart;
  for (;;) {
    try {
      return { own: await startService(options) };
    } catch (error) {
      if (!(error instanceof FolderInUseError)) throw error;
      const other = await findService(options.dataDir);
      if (other !== undefined) return { other };
      if (clock.now() >= end) throw error;
    }
    await clock.sleep(100);
  }
}

/** Milliseconds; a cold disk, or a machine with too much to do, may take a while to read the program. */
const longestStart = 60_000;

const borrowed = (state: ServiceState): Hosted => ({
  state,
  isOwn: false,
  attachedPid: process.pid,
  folderGone: new Promise(() => undefined),
  leave: () => true,
  close: () => Promise.resolve(),
});

const owned = (service: Service): Hosted => ({
  state: service,
  isOwn: true,
  attachedPid: process.pid,
  folderGone: service.folderGone,
  leave: () => service.leave(),
  close: (kill = false) => service.close({ kill }),
});
