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
 * Returns the running service, or starts one in this process. Only a running service has agents, so
 * `--agents` leads to exit code 9 if no service is running.
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
    messages.warn(
      '--jobs is ignored: the local service is already running with a fixed number of slots',
    );
  }
  return host;
}

/** Fails if the service has no slots, because jobs would wait forever. */
async function checkSlots({ state }: Hosted): Promise<void> {
  const { slots } = (await callAdmin(state, 'GET', '/status')) as { slots: number };
  if (slots === 0)
    throw usageError(
      'the local service has no slots: it runs jobs only on agents',
      'cictl run --agents',
    );
}

/**
 * The port at which the `local` profile expects the local service. A service in this process uses
 * this port, so that other commands can see the run. Undefined if there is no such profile.
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
 * The names (without values) of secrets stored in the service, if steps need secrets that are not
 * in `given`. Does not create a data directory.
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
 * Waits until the service is idle and no other run uses it. Another `cictl run` may depend on the
 * service in this process, and its jobs would be lost. Commands that follow the build (`builds
 * watch`, `job log --follow`) get a moment to see the end.
 */
export async function waitForOtherRuns(host: Hosted, context: Context): Promise<void> {
  const { clock, messages, signal, urgent } = context;
  // If a first Ctrl-C has interrupted our own build, a second Ctrl-C interrupts this wait.
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
      // The loop then checks again, because another run may start during the pause.
      isSeen = true;
      await clock.sleep(longestPause, stop).catch(() => undefined);
    } else if (host.leave()) return;
  }
}

/** Whether the command was stopped by `--timeout`. If so, its jobs must not delay the exit. */
export const isTimeout = (reason: unknown): boolean =>
  reason instanceof CictlError && reason.kind === 'timeout';

const statusOf = ({ state }: Hosted): Promise<Status> =>
  callAdmin(state, 'GET', '/status').then(
    (status) => status as Status,
    () => idle,
  );

const isRead = ({ read_ago: ago }: Status): boolean => ago !== null && ago <= longestPause;

/** If the service does not respond, it is treated as idle. */
const idle: Status = {
  ...{ running: 0, scheduled: 0, waiting_for_agents: [], guests: 0, fault: null, read_ago: null },
};

/** Does not count jobs that no agent can run, because no more agents will connect. */
function isIdle({ running, scheduled, waiting_for_agents: waiting, guests }: Status): boolean {
  const inVain = waiting.reduce((sum, { jobs }) => sum + jobs, 0);
  return running + scheduled - inVain + guests === 0;
}

/** Milliseconds, slightly more than the polling interval of `builds watch` for a local service. */
const longestPause = 2400;

interface Status {
  readonly running: number;
  readonly scheduled: number;
  /** Jobs that no connected agent can run. These jobs are also counted in `scheduled`. */
  readonly waiting_for_agents: readonly { readonly jobs: number }[];
  /** Number of other processes that are watching their build. */
  readonly guests: number;
  /** The reason why the service cannot write to its store, and therefore cannot finish builds. */
  readonly fault: string | null;
  /** Milliseconds since the last read by a client other than runs and jobs; null if none. */
  readonly read_ago: number | null;
}
