/** Profile `local`, through which all other commands find the built-in service. */
import { readProfiles, writeProfile } from '../../config/profiles.ts';
import type { Context } from '../../context.ts';
import { callAdmin } from '../../service/admin.ts';
import { stateSecrets, type ServiceState } from '../../service/state.ts';

const localProfile = 'local';

/**
 * Saves where the service is, and gives the profile a token where it has none that works. A token
 * that does is kept: the user may have narrowed it on purpose.
 */
export async function saveLocalProfile(
  { env, secrets }: Context,
  state: ServiceLocation,
): Promise<void> {
  secrets.add(...stateSecrets(state));
  const before = readProfiles(env).profiles.get(localProfile);
  const token = (await checkExistingToken(state, before?.token)) ?? (await newToken(state));
  secrets.add(token);
  const { url: baseUrl, agentToken } = state;
  const addresses = { baseUrl, agentUrl: null, graphqlUrl: null };
  const org = before?.org ?? 'local';
  await writeProfile(env, localProfile, { ...addresses, token, agentToken, org });
}

type ServiceLocation = Pick<ServiceState, 'url' | 'adminToken' | 'agentToken'>;

async function checkExistingToken(
  state: ServiceLocation,
  token: string | undefined,
): Promise<string | undefined> {
  if (token === undefined) return undefined;
  const headers = { authorization: `Bearer ${token}` };
  const signal = AbortSignal.timeout(longestCheck);
  // Where the service does not respond, asking it for a token reports that.
  const response = await fetch(`${state.url}/v2/access-token`, { headers, signal }).catch(
    () => undefined,
  );
  await response?.body?.cancel();
  return response?.ok === true ? token : undefined;
}

/** In milliseconds. */
const longestCheck = 10_000;

async function newToken(state: ServiceLocation): Promise<string> {
  const { token } = (await callAdmin(state, 'POST', '/tokens', {})) as { token: string };
  return token;
}
