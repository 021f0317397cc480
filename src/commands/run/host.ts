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
 * The service that does the run: the one that runs already, else one in this process. Agents are
 * connected to the first alone, so that without it `--agents` is code 9.
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
    messages.warn('the local service runs already with slots of its own: --jobs has no effect');
  }
  return host;
}

/** Its jobs would wait for ever. */
async function checkSlots({ state }: Hosted): Promise<void> {
  const { slots } = (await callAdmin(state, 'GET', '/status')) as { slots: number };
  if (slots === 0)
    throw usageError(
      'the local service has no slots of its own: it runs jobs on agents alone',
      'cictl run --agents',
    );
}

/**
 * The port where profile `local` looks for the built-in service, so that other commands see a run
 * whose service lives in its own process; undefined where there is none.
 */
function usualPort({ env }: Pick<Context, 'env'>): number | undefined {
  try {
    const url = new URL(readProfiles(env).profiles.get('local')?.baseUrl ?? '');
    return url.hostname === '127.0.0.1' && url.port !== '' ? Number(url.port) : undefined;
  } catch {
    // A damaged file of profiles keeps nobody from running a pipeline.
    return undefined;
  }
}

type Values = Readonly<Record<string, string>>;

/**
 * Names of the secrets that the service keeps, without their values, where steps ask for more than
 * was `given`. A data folder is not made for that.
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
    if (isTimeout(signal.reason) ? status.guests > 0 : !isIdle(status)) {
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

/** Whether `--timeout` has stopped the command: its own jobs must not delay the exit. */
export const isTimeout = (reason: unknown): boolean =>
  reason instanceof CictlError && reason.kind === 'timeout';

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
