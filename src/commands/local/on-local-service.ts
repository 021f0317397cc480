import { dataDir } from '../../config/folders.ts';
import type { Client } from '../../api/client.ts';
import type { Context } from '../../context.ts';
import { hostService } from '../../service/daemon/host.ts';
import { stateSecrets } from '../../service/state.ts';
import { localOrg } from './with-service.ts';

/**
 * Hands `use` a client of the built-in service, and the context with it in place of the chosen one.
 * Where the service does not run, it is opened here for as long as that takes, without slots, so
 * that no job starts.
 */
export async function onLocalService<T>(
  context: Context,
  use: (client: Client, context: Context) => Promise<T>,
): Promise<T> {
  const { env, clock, secrets, settings, signal } = context;
  const host = await hostService({ dataDir: dataDir(env), slots: 0 }, clock);
  secrets.add(...stateSecrets(host.state));
  const client = await context.connect({ ...host.state, isBuiltIn: true }, signal);
  const local = { ...settings, org: localOrg(context) };
  try {
    return await use(client, {
      ...context,
      settings: local,
      client: () => Promise.resolve(client),
    });
  } finally {
    await client.close();
    await host.close();
  }
}
