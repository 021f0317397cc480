import type { Context } from '../../context.ts';
import type { ServiceState } from '../../service/state.ts';
import { speaksOf, tokenInUse } from './signed-in-address.ts';
import { localOrg } from './with-service.ts';

/** The context with a client of the built-in service, and with settings that speak of it. */
export async function aboutService(state: ServiceState, context: Context): Promise<Context> {
  const { settings, signal } = context;
  const { url: baseUrl } = state;
  const token = tokenInUse(state, context) ?? state.token;
  const client = await context.connect({ url: baseUrl, token, isBuiltIn: true }, signal);
  const org = speaksOf(baseUrl, settings) ? (settings.org ?? 'local') : localOrg(context);
  return {
    ...context,
    settings: { ...settings, org, baseUrl, token },
    client: () => Promise.resolve(client),
  };
}
