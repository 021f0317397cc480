/** Calls to the local service that are no part of the public API. */
import { dataDir } from '../../config/folders.ts';
import type { Context, ServiceAddress } from '../../context.ts';
import { CictlError } from '../../errors.ts';
import { callAdmin, type AdminMethod, findService } from '../../service/admin.ts';
import { hostService } from '../../service/daemon/host.ts';
import { stateSecrets, type ServiceState } from '../../service/state.ts';
import { didYouMean } from '../../common/suggest.ts';
import type { Client } from '../../api/client.ts';
import { notRunning } from './resources.ts';
import { DryRun } from '../../api/call.ts';
import { printRequest } from '../../render/output.ts';

/** `timeout` in milliseconds, where the usual one of a call is too short. */
type AdminCall = (
  method: AdminMethod,
  path: string,
  body?: object,
  timeout?: number,
) => Promise<unknown>;

/**
 * Hands the calls to `use`. Where the service does not run, it is opened here for as long as that
 * takes, without slots, so that no job starts.
 */
export async function withService<T>(
  context: Context,
  use: (call: AdminCall) => Promise<T>,
): Promise<T> {
  const { env, clock, secrets } = context;
  const host = await hostService({ dataDir: dataDir(env), slots: 0 }, clock);
  secrets.add(...stateSecrets(host.state));
  try {
    return await use(async (method, path, body, timeout) => {
      await showCall(context, host.state.url, [method, path, body]);
      return callAdmin(host.state, method, path, body, timeout);
    });
  } finally {
    await host.close();
  }
}

/**
 * For the rejection of a call: names what the service did not find, where that is what was asked
 * for and not its organization. `hint` is the command that lists what is there.
 */
export const notThere =
  (what: string, name: string, hint: string) =>
  (error: unknown): never => {
    const isIt = error instanceof CictlError && error.kind === 'not_found';
    if (!isIt || error.message.includes('organization')) throw error;
    throw new CictlError('not_found', `no ${what} ${JSON.stringify(name)}`, { status: 404, hint });
  };

/** The organization that `--org` names, else `local`; other sources speak of other services. */
export const localOrg = ({ settings }: Context): string =>
  settings.sources['org'] === 'flag --org' ? (settings.org ?? 'local') : 'local';

/** Path of a pipeline, or of all pipelines of an organization. */
export const pipelinePath = (context: Context, slug?: string): string => {
  const all = `/organizations/${encodeURIComponent(localOrg(context))}/pipelines`;
  return slug === undefined ? all : `${all}/${encodeURIComponent(slug)}`;
};

/** For the rejection of a call about a pipeline: adds the slug that may be meant to the message. */
export const suggestPipeline =
  (call: AdminCall, context: Context, slug: string) =>
  async (error: unknown): Promise<never> => {
    if (error instanceof CictlError && error.kind === 'not_found') {
      const all = await call('GET', pipelinePath(context)).catch(() => []);
      error.message += didYouMean(
        slug,
        (all as { slug: string }[]).map((one) => one.slug),
      );
    }
    throw error;
  };

/** Uses a client of the built-in service, and the context with it in place of the chosen one. */
type Use<T> = (client: Client, context: Context) => Promise<T>;

/**
 * Hands both to `use`. Where the service does not run, it is opened here for as long as that takes,
 * without slots, so that no job starts.
 */
export async function onLocalService<T>(context: Context, use: Use<T>): Promise<T> {
  const { env, clock } = context;
  const host = await hostService({ dataDir: dataDir(env), slots: 0 }, clock);
  try {
    return await connected(host.state, context, use);
  } finally {
    await host.close();
  }
}

/** The same where it runs; code 9 where it does not. */
export const onRunningService = async <T>(context: Context, use: Use<T>): Promise<T> =>
  connected(await runningService(context), context, use);

/** The service that runs; code 9 where none does. */
export async function runningService({ env, secrets }: Context): Promise<ServiceState> {
  const state = await findService(dataDir(env));
  if (state === undefined) {
    const { silentService } = await import('../../service/daemon/stop.ts');
    throw (await silentService(dataDir(env))) ?? notRunning();
  }
  secrets.add(...stateSecrets(state));
  return state;
}

async function connected<T>(
  state: ServiceAddress & Parameters<typeof stateSecrets>[0],
  context: Context,
  use: Use<T>,
): Promise<T> {
  const { secrets, settings, signal } = context;
  secrets.add(...stateSecrets(state));
  const client = await context.connect({ ...state, isBuiltIn: true }, signal);
  const local = { ...settings, org: localOrg(context) };
  try {
    return await use(client, {
      ...context,
      settings: local,
      client: () => Promise.resolve(client),
    });
  } finally {
    await client.close();
  }
}

/**
 * Under `--dry-run` prints the call that would be made at the local service at `url`, and throws
 * `DryRun` in its place; else nothing. `path` is without `/local/v1`.
 */
export async function showCall(
  context: Pick<Context, 'settings' | 'out' | 'secrets'>,
  url: string,
  [method, path, body]: readonly [method: string, path: string, body: object | undefined],
): Promise<void> {
  if (!context.settings.dryRun || method === 'GET') return;
  const text = body === undefined ? undefined : JSON.stringify(body);
  await printRequest({ method, url: `${url}/local/v1${path}`, body: text }, context);
  throw new DryRun();
}
