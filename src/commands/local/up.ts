import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { platform } from 'node:process';
import { hostname } from 'node:os';
import type { Handler, Input } from '../../command/command.ts';
import { dataDir } from '../../config/folders.ts';
import type { Context } from '../../context.ts';
import { callAdmin, findService } from '../../service/admin.ts';
import { agentAddress, checkUp, startFlags, serviceOptions, keepOf } from './up-flags.ts';
import { saveLocalProfile, startInBackground } from './start.ts';
import type { ServiceState } from '../../service/state.ts';
import { printUp } from './resources.ts';
import type { localUp } from './index.ts';
import { aborted } from '../../common/abort.ts';
import { CictlError } from '../../errors.ts';
import { startOrFind } from '../../service/daemon/host.ts';
import { reportNotStarted, reportStarted } from '../../service/daemon/spawn.ts';
import type { Service } from '../../service/start-service.ts';

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

/**
 * Serves in this process until `local down` (exit code 0) or a signal (its code). Then it stops
 * whatever is running.
 */
async function serveInForeground(input: Input<typeof localUp>, context: Context): Promise<void> {
  const { own: service, other } = await startFrom(input, context).catch(async (error: unknown) => {
    if (input.background) await reportNotStarted(error);
    throw error;
  });
  if (service === undefined) {
    if (!input.background) throw alreadyRunning(other);
    await reportStarted(other.url);
    return;
  }
  const gone = await served(service, input, context);
  // It says itself that the service has ended.
  if (gone !== undefined) throw gone;
}

/** A supervisor must not take it for a service that has stopped. */
const alreadyRunning = ({ pid }: ServiceState): CictlError =>
  new CictlError('machine', `a local service is already running (process ${pid})`, {
    hint: 'cictl local down',
  });

const startFrom = async (input: Input<typeof localUp>, context: Context) =>
  startOrFind(await serviceOptions(input, context), context.clock);

/** Until it has closed; resolves to the reason where its data folder has gone. */
async function served(
  service: Service,
  input: Input<typeof localUp>,
  context: Context,
): Promise<Error | undefined> {
  let gone: Error | undefined;
  void service.folderGone.then((reason) => (gone = reason));
  try {
    await announceForeground(service, input, context);
    await Promise.race([service.closed, aborted(context.signal)]);
  } finally {
    await service.close();
    if (gone === undefined) context.messages.note('the local service has ended');
  }
  return gone;
}

async function announceForeground(
  service: Service,
  input: Input<typeof localUp>,
  context: Context,
) {
  if (input.background) {
    context.messages.note(`the local service answers at ${service.url}`);
    await reportStarted(service.url);
    return;
  }
  await saveLocalProfile(context, service);
  context.messages.note('the local service runs until Ctrl-C; profile "local" leads to it');
  await announceListen(service, context);
  await printUp(service, context);
}

/** Says what agents of other machines take for `--endpoint`, where the service listens for them. */
async function announceListen(
  state: Pick<ServiceState, 'url' | 'adminToken'>,
  { messages }: Pick<Context, 'messages'>,
): Promise<void> {
  const status = (await callAdmin(state, 'GET', '/status')) as Partial<ListenStatus>;
  const { listen = null, public_url: publicUrl = null } = status;
  if (listen === null) return;
  const everyInterface = /^(https?:\/\/)(?:0\.0\.0\.0|\[::\])(?=:)/;
  const reached = publicUrl ?? listen.replace(everyInterface, `$1${hostname()}`);
  messages.note(`agents of other machines start with --endpoint ${reached}/v3`);
}

interface ListenStatus {
  readonly listen: string | null;
  readonly public_url: string | null;
}
