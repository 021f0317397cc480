import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { dataDir } from '../../config/folders.ts';
import type { Context } from '../../context.ts';
import { CictlError, usageError } from '../../errors.ts';
import { callAdmin } from '../../service/admin.ts';
import { hostService, type Hosted } from '../../service/daemon/host.ts';
import { stateSecrets } from '../../service/state.ts';
import { runningService } from '../local/with-service.ts';
import type { RunInput } from './request.ts';
import { readProfiles } from '../../config/profiles.ts';
import type { Plan } from '../../service/pipeline/plan.ts';
import { missingSecrets } from '../../service/scheduler/choose-steps.ts';

/**
 * The service for the run: the running service, or one in this process. Only a running service has
 * agents, so `--agents` without one leads to exit code 9.
 */
export async function hosted(
  { jobs, agents }: Pick<RunInput, 'jobs' | 'agents'>,
  context: Context,
): Promise<Hosted> {
  if (agents) await runningService(context);
  const { env, clock, messages, secrets } = context;
  const options = {
    dataDir: dataDir(env),
    isConfined: true,
    ...(jobs === undefined ? {} : { slots: jobs }),
  };
  const host = await hostService(options, clock, usualPort({ env }));
  secrets.add(...stateSecrets(host.state));
  if (!host.isOwn && !agents) await checkSlots(host);
  if (!host.isOwn && jobs !== undefined) {
    messages.warn('--jobs is ignored: the local service is already running with its own slots');
  }
  return host;
}

/** Without slots, jobs would wait forever. */
async function checkSlots({ state }: Hosted): Promise<void> {
  const { slots } = (await callAdmin(state, 'GET', '/status')) as { slots: number };
  if (slots === 0)
    throw usageError(
      'the local service has no slots: it runs jobs only on agents',
      'cictl run --agents',
    );
}

/**
 * The port at which profile `local` expects the local service. A service in this process uses
 * it, so that other commands can see the run. Undefined without that profile.
 */
function usualPort({ env }: Pick<Context, 'env'>): number | undefined {
  try {
    const url = new URL(readProfiles(env).profiles.get('local')?.baseUrl ?? '');
    return url.hostname === '127.0.0.1' && url.port !== '' ? Number(url.port) : undefined;
  } catch {
    // A run must not fail because of a malformed profile file.
    return undefined;
  }
}

type Values = Readonly<Record<string, string>>;

/**
 * Names (not values) of the secrets stored in the service, if steps need secrets that are not in
 * `given`. Does not create a data directory.
 */
export async function keptSecrets(
  { steps }: Plan,
  given: Values,
  context: Context,
): Promise<Values> {
  if (missingSecrets(steps, given).length === 0) return {};
  if (!existsSync(join(dataDir(context.env), 'service.db'))) return {};
  const { withService } = await import('../local/with-service.ts');
  const list = await withService(context, (call) => call('GET', '/organizations/local/secrets'));
  return Object.fromEntries((list as { key: string }[]).map(({ key }) => [key, '']));
}

/**
 * Waits until the service is idle and no other run is attached. Another `cictl run` may use the
 * service in this process, and its jobs would be lost. Recent readers (`builds watch`, `job log
 * --follow`) get a moment to see the end.
 */
export async function waitForOtherRuns(host: Hosted, context: Context): Promise<void> {
  const { clock, messages, signal, urgent } = context;
  // If Ctrl-C has interrupted our own build, a second Ctrl-C interrupts this wait.
  const stop = signal.aborted ? urgent : signal;
  let isReported = false;
  let isSeen = false;
  while (!stop.aborted) {
    const status = await statusOf(host);
    if (status.fault !== null) return;
    if (isTimeout(signal.reason) ? status.guests > 0 : !isIdle(status)) {
      if (!isReported)
        messages.note(
          'waiting for another build on this service to finish; press Ctrl-C to stop immediately',
        );
      isReported = true;
      await clock.sleep(200, stop).catch(() => undefined);
    } else if (!isSeen && isRead(status)) {
      // Checks again, because another run may start during the pause.
      isSeen = true;
      await clock.sleep(longestPause, stop).catch(() => undefined);
    } else if (host.leave()) return;
  }
}

/** Whether `--timeout` stopped the command. Its own jobs must then not delay the exit. */
export const isTimeout = (reason: unknown): boolean =>
  reason instanceof CictlError && reason.kind === 'timeout';

const statusOf = ({ state }: Hosted): Promise<Status> =>
  callAdmin(state, 'GET', '/status').then(
    (status) => status as Status,
    () => idle,
  );

const isRead = ({ read_ago: ago }: Status): boolean => ago !== null && ago <= longestPause;

/** A service that does not respond is treated as idle. */
const idle: Status = {
  ...{ running: 0, scheduled: 0, waiting_for_agents: [], guests: 0, fault: null, read_ago: null },
};

/** Ignores jobs that no agent can run: no more agents will connect before this service stops. */
function isIdle({ running, scheduled, waiting_for_agents: waiting, guests }: Status): boolean {
  const inVain = waiting.reduce((sum, { jobs }) => sum + jobs, 0);
  return running + scheduled - inVain + guests === 0;
}

/** Milliseconds. Slightly longer than the polling interval of `builds watch` on this machine. */
const longestPause = 2400;

interface Status {
  readonly running: number;
  readonly scheduled: number;
  /** Jobs that no connected agent can run; they are also included in `scheduled`. */
  readonly waiting_for_agents: readonly { readonly jobs: number }[];
  /** Number of processes that still watch their build. */
  readonly guests: number;
  /** Why the service cannot write to its store and therefore cannot finish builds. */
  readonly fault: string | null;
  /** Milliseconds since a client other than runs and jobs last read something; null if none did. */
  readonly read_ago: number | null;
}
