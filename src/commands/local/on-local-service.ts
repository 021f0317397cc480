import { dataDir } from '../../config/folders.ts';
import type { Client } from '../../api/client.ts';
import type { Context, ServiceAddress } from '../../context.ts';
import { findService } from '../../service/admin.ts';
import { hostService } from '../../service/daemon/host.ts';
import { stateSecrets, type ServiceState } from '../../service/state.ts';
import { notRunning } from './service.ts';
import { localOrg } from './with-service.ts';

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
    const { silentService } = await import('../../service/daemon/silent-service.ts');
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
