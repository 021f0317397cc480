/** Access to the local service, using its own routes or a client of the public API. */
import { DryRun } from '../../api/call.ts';
import type { Client } from '../../api/client.ts';
import type { Resource } from '../../api/resources/resource.ts';
import { dataDir } from '../../config/folders.ts';
import type { Context, ServiceAddress } from '../../context.ts';
import { CictlError } from '../../errors.ts';
import { suggestSlug } from '../../refs/suggest-slug.ts';
import { printRequest } from '../../render/output.ts';
import { callAdmin, type AdminMethod, findService } from '../../service/admin.ts';
import { hostService, type Hosted } from '../../service/daemon/host.ts';
import { stateSecrets, type ServiceState } from '../../service/state.ts';

/** `timeout` in milliseconds. */
type AdminCall = (
  method: AdminMethod,
  path: string,
  body?: object,
  timeout?: number,
) => Promise<object>;

/**
 * Calls `use` with a function that sends requests to the service. If no service is running, starts
 * one in this process and stops it after `use` has finished.
 */
export const withService = <T>(
  context: Context,
  use: (call: AdminCall) => Promise<T>,
): Promise<T> =>
  withHost(context, (state) =>
    use(async (method, path, body, timeout) => {
      await showCall(context, state.url, [method, path, body]);
      return (await callAdmin(state, method, path, body, timeout)) as object;
    }),
  );

/** Receives a client of the local service and a context that uses this client. */
type UseClient<T> = (client: Client, context: Context) => Promise<T>;

/** Like `withService`, but calls `use` with a client. */
export const onLocalService = <T>(context: Context, use: UseClient<T>): Promise<T> =>
  withHost(context, (state) => withClient(state, context, use));

/** Exit code 9 if the service is not running. */
export const onRunningService = async <T>(context: Context, use: UseClient<T>): Promise<T> =>
  withClient(await runningService(context), context, use);

/** If the service runs in this process, it has no slots, because no job should start. */
async function withHost<T>(
  { env, clock, secrets }: Context,
  use: (state: Hosted['state']) => Promise<T>,
): Promise<T> {
  const host = await hostService({ dataDir: dataDir(env), slots: 0 }, clock);
  secrets.add(...stateSecrets(host.state));
  try {
    return await use(host.state);
  } finally {
    await host.close();
  }
}

async function withClient<T>(
  state: ServiceAddress,
  context: Context,
  use: UseClient<T>,
): Promise<T> {
  const client = await context.connect({ ...state, isBuiltIn: true }, context.signal);
  const settings = { ...context.settings, org: localOrg(context) };
  try {
    return await use(client, { ...context, settings, client: () => Promise.resolve(client) });
  } finally {
    await client.close();
  }
}

/** Exit code 9 if the service is not running. */
export async function runningService({ env, secrets }: Context): Promise<ServiceState> {
  const state = await findService(dataDir(env));
  if (state === undefined) {
    const { silentService } = await import('../../service/daemon/stop.ts');
    const hint = 'cictl local up';
    throw (
      (await silentService(dataDir(env))) ??
      new CictlError('unreachable', 'the local service is not running', { hint })
    );
  }
  secrets.add(...stateSecrets(state));
  return state;
}

/** The organization given by `--org`; by default `local`. Ignores other settings. */
export const localOrg = ({ settings }: Context): string =>
  settings.sources['org'] === 'flag --org' ? (settings.org ?? 'local') : 'local';

/** The path of a collection in the organization, or of the element `name` in that collection. */
export function orgPath(
  context: Context,
  kind: 'pipelines' | 'secrets' | 'agent-tokens',
  name?: string,
): string {
  const all = `/organizations/${encodeURIComponent(localOrg(context))}/${kind}`;
  return name === undefined ? all : `${all}/${encodeURIComponent(name)}`;
}

export async function printList(
  resource: Resource,
  kind: Parameters<typeof orgPath>[1],
  context: Context,
): Promise<void> {
  const list = await withService(context, (call) => call('GET', orgPath(context, kind)));
  await context.out.list(resource, list as object[]);
}

/** Whether the output is plain text (a table or TSV) instead of structured data. */
export const isText = ({ format }: Context['out']): boolean =>
  format === 'table' || format === 'tsv';

/**
 * Handles the error of a failed call. The message names the missing item, unless the organization
 * is missing. `hint` is the command that lists the items.
 */
export const notThere =
  (what: string, name: string, hint: string) =>
  (error: unknown): never => {
    const isMissing = error instanceof CictlError && error.kind === 'not_found';
    if (!isMissing || error.message.includes('organization')) throw error;
    throw new CictlError('not_found', `no ${what} ${JSON.stringify(name)}`, { status: 404, hint });
  };

/** Handles the error of a failed call for a pipeline. Adds a similar slug to the message. */
export const suggestPipeline =
  (context: Context, slug: string) =>
  async (error: unknown): Promise<never> => {
    if (error instanceof CictlError && error.kind === 'not_found') {
      const missing = { kind: 'pipeline', slug, org: localOrg(context) } as const;
      await onLocalService(context, (_, local) => suggestSlug(error, missing, local));
    }
    throw error;
  };

/**
 * Under `--dry-run`, prints the call instead of sending it, and throws `DryRun`. `path` starts
 * after `/local/v1`.
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
