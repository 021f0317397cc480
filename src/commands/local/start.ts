import { dataDir, findLauncher } from '../../config/folders.ts';
import type { Context } from '../../context.ts';
import { findService, callAdmin } from '../../service/admin.ts';
import { stateSecrets, type ServiceState } from '../../service/state.ts';
import { spawnService } from '../../service/daemon/spawn.ts';
import { stopService } from '../../service/daemon/stop.ts';
import { serviceEnv } from './service-env.ts';
import { readProfiles, writeProfile } from '../../config/profiles.ts';

/** The service that runs, else one that is started as `local up` does. */
export async function runningOrStarted(context: Context): Promise<ServiceState> {
  const running = await findService(dataDir(context.env));
  if (running === undefined) return start(context);
  context.secrets.add(...stateSecrets(running));
  return running;
}

const start = (context: Context): Promise<ServiceState> =>
  startInBackground([], context, async (state) => {
    await saveLocalProfile(context, state);
    context.messages.note('the local service runs now; profile "local" leads to it');
  });

/**
 * Starts the service in a process that outlives the command. `flags` are those of `local up`;
 * `announce` says where it is, and where that fails, the service is ended again.
 */
export async function startInBackground(
  flags: readonly string[],
  context: Context,
  announce: (state: ServiceState) => Promise<void>,
): Promise<ServiceState> {
  const { env, clock, signal } = context;
  const { node, script } = findLauncher();
  const state = await spawnService({
    dataDir: dataDir(env),
    command: [node, script, 'local', 'up', '--foreground', '--background', ...flags],
    env: serviceEnv(context),
    clock,
    signal,
  });
  try {
    await announce(state);
  } catch (error) {
    // Without a profile that points to it, it would keep running unnoticed.
    await stopService({ dataDir: dataDir(env), clock });
    throw error;
  }
  return state;
}

// Profile `local`, through which all other commands find the built-in service.

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
