import type { Handler } from '../../command/command.ts';
import { dataDir } from '../../config/folders.ts';
import { findLauncher } from '../../config/launcher.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import { callAdmin, findService } from '../../service/admin.ts';
import { checkKeep, keepOf } from './keep.ts';
import { saveLocalProfile } from './profile.ts';
import { spawnService } from '../../service/daemon/spawn.ts';
import { stopService } from '../../service/daemon/stop.ts';
import type { ServiceState } from '../../service/state.ts';
import { serveInForeground } from './foreground.ts';
import { serviceEnv } from './service-env.ts';
import { printUp } from './service.ts';
import type { localUp } from './index.ts';

/** `cictl local up`. */
export const bringUpService: Handler<typeof localUp> = async (input, context) => {
  checkInput(input);
  const running = await findService(dataDir(context.env));
  if (running !== undefined) {
    if (input.keep !== undefined)
      await callAdmin(running, 'PATCH', '/settings', { keep: keepOf(input.keep) });
    return announce(running, 'runs already', context);
  }
  if (input.foreground) {
    const other = await serveInForeground(input, context);
    return other && !input.background ? announce(other, 'runs already', context) : undefined;
  }
  const started = await start(input, context);
  try {
    await announce(started, 'runs now', context);
  } catch (error) {
    // Without a profile that points to it, it would keep running unnoticed.
    await stopService({ dataDir: dataDir(context.env), clock: context.clock });
    throw error;
  }
};

function checkInput({ port, rateLimit, keep }: UpInput): void {
  if (keep !== undefined && keep !== 'all') checkKeep(keep);
  if (port !== undefined && (port < 0 || port > 65_535)) {
    throw usageError(`--port takes a number from 0 to 65535, not ${port}`);
  }
  if (rateLimit !== undefined && rateLimit < 1) {
    throw usageError(`--rate-limit takes a number from 1, not ${rateLimit}`);
  }
}

type UpInput = Parameters<typeof bringUpService>[0];

const start = ({ port, rateLimit, keep }: UpInput, context: Context) => {
  const { env, clock, signal } = context;
  const { node, script } = findLauncher();
  const values = Object.entries({ '--port': port, '--rate-limit': rateLimit, '--keep': keep });
  const flags = values.flatMap(([flag, value]) =>
    value === undefined ? [] : [flag, String(value)],
  );
  const words = ['local', 'up', '--foreground', '--background', ...flags];
  return spawnService({
    dataDir: dataDir(env),
    command: [node, script, ...words],
    env: serviceEnv(context),
    clock,
    signal,
  });
};

async function announce(state: ServiceState, how: string, context: Context): Promise<void> {
  await saveLocalProfile(context, state);
  context.messages.note(`the local service ${how}; profile "local" leads to it`);
  await printUp(state, context);
}
