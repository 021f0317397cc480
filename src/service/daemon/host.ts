import { CictlError } from '../../errors.ts';
import { callAdmin, findService } from '../admin.ts';
import { FolderInUseError, type ServiceState } from '../state.ts';
import type { Service, ServiceOptions } from '../start-service.ts';
import type { Clock } from '../../common/clock.ts';

export interface Hosted {
  readonly state: Omit<ServiceState, 'pid' | 'ownsProcess' | 'processStart'>;
  /** Whether the service runs in this process, and so stops when the process exits. */
  readonly isOwn: boolean;
  /** ID of the current process, which the service must outlive. */
  readonly attachedPid: number;
  /** Resolves with the reason if a service in this process loses its data directory. */
  readonly folderGone: Promise<Error>;
  /** Returns true if the service can be closed because no other process uses it. */
  leave(): boolean;
  /** Closes the service in this process and stops its jobs (immediately if `kill` is set). */
  close(kill?: boolean): Promise<void>;
}

/**
 * Uses the running service of the data directory, or starts one in this process. If two commands
 * start at the same time, the first one locks the directory, and both use its service.
 * @param usualPort preferred port; if it is taken, uses the previous port or any free port
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

/** Returns false if the service is closing or has stopped. */
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
  if (running !== undefined) return hosted(running);
  const { own, other } = await startOrFind(
    { ...options, ...(usualPort !== undefined && { port: usualPort }) },
    clock,
  ).catch((error: unknown) => {
    if (usualPort === undefined || error instanceof FolderInUseError) throw error;
    return startOrFind(options, clock);
  });
  return own === undefined ? hosted(other) : hosted(own, own);
}

type Started =
  | { readonly own: Service; readonly other?: undefined }
  | { readonly own?: undefined; readonly other: ServiceState };

/**
 * Starts a service in this process. If another service has locked the data directory, waits until
 * that service responds or has stopped.
 *
 * @throws FolderInUseError if the other service does not respond within a minute
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

/** Milliseconds to wait for the start. Loading is slow on a cold disk or a busy machine. */
const longestStart = 60_000;

const hosted = (state: Hosted['state'], own?: Service): Hosted => ({
  state,
  isOwn: own !== undefined,
  attachedPid: process.pid,
  folderGone: own?.folderGone ?? new Promise(() => undefined),
  leave: () => own?.leave() ?? true,
  close: async (kill = false) => own?.close({ kill }),
});
