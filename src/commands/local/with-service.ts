/** Calls to the local service that are no part of the public API. */
import { dataDir } from '../../config/folders.ts';
import type { Context } from '../../context.ts';
import { CictlError } from '../../errors.ts';
import { callAdmin, type AdminMethod } from '../../service/admin.ts';
import { hostService } from '../../service/daemon/host.ts';
import { stateSecrets } from '../../service/state.ts';
import { didYouMean } from '../../suggest.ts';
import { showCall } from './show-call.ts';

/** `timeout` in milliseconds, where the usual one of a call is too short. */
export type AdminCall = (
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
