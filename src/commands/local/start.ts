import { resolve } from 'node:path';
import { dataDir, findLauncher } from '../../config/folders.ts';
import type { Context } from '../../context.ts';
import { findService, callAdmin } from '../../service/admin.ts';
import { stateSecrets, type ServiceState } from '../../service/state.ts';
import { spawnService } from '../../service/daemon/spawn.ts';
import { stopService } from '../../service/daemon/stop.ts';
import { readProfiles, writeProfile } from '../../config/profiles.ts';
import { looksSecret } from '../../dotenv/secret.ts';
import type { Env } from '../../common/env.ts';

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

/**
 * The environment of the service in the background, which outlives the shell of its user and whose
 * jobs can read it: neither secrets nor what is meant for other commands and other services.
 */
export function serviceEnv({ env, secrets }: Pick<Context, 'env' | 'secrets'>): Env {
  const kept = Object.entries(env).filter(
    ([name, value = '']) =>
      !isOurs.test(name) && !looksSecret(name) && secrets.redact(value) === value,
  );
  // It runs in another folder, where a relative path would point elsewhere.
  return { ...Object.fromEntries(kept), ...folders(env), CICTL_DATA_DIR: dataDir(env) };
}

const isOurs = /^(?:CICTL|BUILDKITE)_/i;

const folders = (env: Env): Env =>
  Object.fromEntries(
    ['CICTL_CONFIG_DIR', 'CICTL_CACHE_DIR'].flatMap((name) => {
      const folder = env[name];
      return folder ? [[name, resolve(folder)]] : [];
    }),
  );
