import { resolve } from 'node:path';
import type { Env } from '../../common/env.ts';
import { dataDir, findLauncher } from '../../config/folders.ts';
import { readProfiles, writeProfile } from '../../config/profiles.ts';
import type { Context } from '../../context.ts';
import { looksSecret } from '../../dotenv/secret.ts';
import { findService, callAdmin } from '../../service/admin.ts';
import { spawnService } from '../../service/daemon/spawn.ts';
import { stopService } from '../../service/daemon/stop.ts';
import { stateSecrets, type ServiceState } from '../../service/state.ts';

/** Returns the running service. Starts it like `local up` if necessary. */
export async function runningOrStarted(context: Context): Promise<ServiceState> {
  const running = await findService(dataDir(context.env));
  if (running !== undefined) {
    context.secrets.add(...stateSecrets(running));
    return running;
  }
  return startInBackground([], context, async (state) => {
    await saveLocalProfile(context, state);
    context.messages.note('started the local service; profile "local" uses it');
  });
}

/**
 * Starts the service in a process that continues after the command exits. `flags` are passed to
 * `local up`. If `announce` fails, the service is stopped.
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
    // Without a profile, the user might not notice that the service is still running.
    await stopService({ dataDir: dataDir(env), clock });
    throw error;
  }
  return state;
}

/**
 * The environment of the background service. It contains no secrets and no settings for other
 * commands or services, because jobs can read it and the service outlives the user's shell.
 */
export function serviceEnv({ env, secrets }: Pick<Context, 'env' | 'secrets'>): Env {
  const kept = Object.entries(env).filter(
    ([name, value = '']) =>
      !/^(?:CICTL|BUILDKITE)_/i.test(name) && !looksSecret(name) && secrets.redact(value) === value,
  );
  // Relative paths become absolute, because the service has a different working directory.
  const folders = ['CICTL_CONFIG_DIR', 'CICTL_CACHE_DIR'].flatMap((name) => {
    const folder = env[name];
    return folder ? [[name, resolve(folder)] as const] : [];
  });
  return { ...Object.fromEntries([...kept, ...folders]), CICTL_DATA_DIR: dataDir(env) };
}

type ServiceLocation = Pick<ServiceState, 'url' | 'adminToken' | 'agentToken'>;

/**
 * Saves the `local` profile, which other commands use to find the local service. Keeps a working
 * token, because the user may have restricted it on purpose.
 */
export async function saveLocalProfile(
  { env, secrets }: Context,
  state: ServiceLocation,
): Promise<void> {
  secrets.add(...stateSecrets(state));
  const before = readProfiles(env).profiles.get('local');
  const token = (await acceptedToken(state, before?.token)) ?? (await newToken(state));
  secrets.add(token);
  const { url: baseUrl, agentToken } = state;
  const addresses = { baseUrl, agentUrl: null, graphqlUrl: null };
  const org = before?.org ?? 'local';
  await writeProfile(env, 'local', { ...addresses, token, agentToken, org });
}

/** Undefined if the service does not respond. The request for a new token reports the error. */
async function acceptedToken({ url }: ServiceLocation, token: string | undefined) {
  if (token === undefined) return undefined;
  const headers = { authorization: `Bearer ${token}` };
  const signal = AbortSignal.timeout(10_000);
  const response = await fetch(`${url}/v2/access-token`, { headers, signal }).catch(
    () => undefined,
  );
  await response?.body?.cancel();
  return response?.ok === true ? token : undefined;
}

async function newToken(state: ServiceLocation): Promise<string> {
  const { token } = (await callAdmin(state, 'POST', '/tokens', {})) as { token: string };
  return token;
}
