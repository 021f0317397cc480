import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { platform } from 'node:process';
import type { Handler } from '../../command/command.ts';
import { dataDir } from '../../config/folders.ts';
import type { Context } from '../../context.ts';
import { callAdmin, findService } from '../../service/admin.ts';
import { agentAddress } from './agent-address.ts';
import { announceListen } from './announce-listen.ts';
import { checkUp } from './check-up.ts';
import { keepOf } from './keep.ts';
import { saveLocalProfile } from './profile.ts';
import type { ServiceState } from '../../service/state.ts';
import { alreadyRunning, serveInForeground } from './foreground.ts';
import { startFlags } from './start-flags.ts';
import { startInBackground } from './start-in-background.ts';
import { printUp } from './service.ts';
import type { localUp } from './index.ts';

/** `cictl local up`. */
export const bringUpService: Handler<typeof localUp> = async (input, context) => {
  checkUp(input);
  await agentAddress(input, context);
  if (!input.background) await warnOfReadableKey(input, context);
  const running = await findService(dataDir(context.env));
  if (running !== undefined) {
    if (input.foreground && !input.background) throw alreadyRunning(running);
    if (input.keep !== undefined)
      await callAdmin(running, 'PATCH', '/settings', { keep: keepOf(input.keep) });
    warnOfUnused(input, context);
    return announce(running, 'runs already', context);
  }
  if (input.foreground) {
    await serveInForeground(input, context);
    return;
  }
  await startInBackground(startFlags(input, context.cwd), context, (started) =>
    announce(started, 'runs now', context),
  );
};

async function warnOfReadableKey({ tlsKey }: UpInput, { messages, cwd }: Context): Promise<void> {
  if (tlsKey === undefined || platform === 'win32') return;
  const { mode } = await stat(resolve(cwd, tlsKey));
  if ((mode & 0o004) !== 0)
    messages.warn(`every user of this machine can read --tls-key ${tlsKey}: chmod 600 ${tlsKey}`);
}

type UpInput = Parameters<typeof bringUpService>[0];

/** They are those of a start. */
function warnOfUnused(input: UpInput, { messages, cwd }: Context): void {
  const words = startFlags({ ...input, keep: undefined }, cwd);
  const flags = [...new Set(words.filter((word) => word.startsWith('--')))];
  if (flags.length > 0)
    messages.warn(
      `the local service runs already, so that ${flags.join(', ')} changed nothing: first cictl local down`,
    );
}

async function announce(state: ServiceState, how: string, context: Context): Promise<void> {
  await saveLocalProfile(context, state);
  context.messages.note(`the local service ${how}; profile "local" leads to it`);
  await announceListen(state, context);
  await printUp(state, context);
}
