import type { Context } from '../../context.ts';
import { callAdmin } from '../../service/admin.ts';
import type { Hosted } from '../../service/daemon/host.ts';

/**
 * Waits until the service runs nothing more and no other run is attached: another `cictl run` may
 * use the service of this process, and would lose its jobs with it. Who has read just now, a `builds
 * watch` or `job log --follow`, gets a moment to see the end.
 */
export async function waitForOtherRuns(host: Hosted, context: Context): Promise<void> {
  const { clock, messages, signal, urgent } = context;
  // After a Ctrl-C for our own build, the second one is for the others.
  const stop = signal.aborted ? urgent : signal;
  let isReported = false;
  let isSeen = false;
  while (!stop.aborted) {
    const status = await statusOf(host);
    if (status.fault !== null) return;
    if (!isIdle(status)) {
      if (!isReported)
        messages.note('waiting for another build that runs in this service; Ctrl-C ends it');
      isReported = true;
      await clock.sleep(200, stop).catch(() => undefined);
    } else if (!isSeen && isRead(status)) {
      // Another run may come meanwhile, so that it is asked again.
      isSeen = true;
      await clock.sleep(longestPause, stop).catch(() => undefined);
    } else if (host.leave()) return;
  }
}

const statusOf = ({ state }: Hosted): Promise<Status> =>
  callAdmin(state, 'GET', '/status').then(
    (status) => status as Status,
    () => idle,
  );

const isRead = ({ read_ago: ago }: Status): boolean => ago !== null && ago <= longestPause;

/** A service that no longer responds runs nothing. */
const idle: Status = {
  ...{ running: 0, scheduled: 0, waiting_for_agents: [], guests: 0, fault: null, read_ago: null },
};

/** Agents that are not here do not come to a service that ends with this command. */
function isIdle({ running, scheduled, waiting_for_agents: waiting, guests }: Status): boolean {
  const inVain = waiting.reduce((sum, { jobs }) => sum + jobs, 0);
  return running + scheduled - inVain + guests === 0;
}

/** Milliseconds between two requests of one who watches a service of this machine, and a little. */
const longestPause = 2400;

interface Status {
  readonly running: number;
  readonly scheduled: number;
  /** Of them, those that nobody who is there may take. */
  readonly waiting_for_agents: readonly { readonly jobs: number }[];
  /** Processes that still watch their build. */
  readonly guests: number;
  /** Why it cannot write to its store, and so cannot end builds. */
  readonly fault: string | null;
  /** Milliseconds since others than runs and jobs have last read; null where nobody has. */
  readonly read_ago: number | null;
}
