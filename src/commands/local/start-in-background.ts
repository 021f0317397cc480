import { dataDir } from '../../config/folders.ts';
import { findLauncher } from '../../config/launcher.ts';
import type { Context } from '../../context.ts';
import { spawnService } from '../../service/daemon/spawn.ts';
import { stopService } from '../../service/daemon/stop.ts';
import type { ServiceState } from '../../service/state.ts';
import { serviceEnv } from './service-env.ts';

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
