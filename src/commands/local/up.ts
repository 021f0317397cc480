import { stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { platform } from 'node:process';
import type { Handler, Input } from '../../command/command.ts';
import { aborted } from '../../common/abort.ts';
import { dataDir } from '../../config/folders.ts';
import type { Context } from '../../context.ts';
import { CictlError } from '../../errors.ts';
import { callAdmin, findService } from '../../service/admin.ts';
import { startOrFind } from '../../service/daemon/host.ts';
import { reportNotStarted, reportStarted } from '../../service/daemon/spawn.ts';
import type { Service } from '../../service/start-service.ts';
import type { ServiceState } from '../../service/state.ts';
import type { localUp } from './index.ts';
import { localService } from './resources.ts';
import { saveLocalProfile, startInBackground } from './start.ts';
import { agentAddress, checkUp, keepOf, serviceOptions, startFlags } from './up-flags.ts';
import { isText } from './with-service.ts';

type UpInput = Input<typeof localUp>;

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
    return announce(running, 'already running', context);
  }
  if (input.foreground) return serveInForeground(input, context);
  await startInBackground(startFlags(input, context.cwd), context, (started) =>
    announce(started, 'started', context),
  );
};

async function warnOfReadableKey({ tlsKey }: UpInput, { messages, cwd }: Context): Promise<void> {
  if (tlsKey === undefined || platform === 'win32') return;
  const { mode } = await stat(resolve(cwd, tlsKey));
  if ((mode & 0o004) !== 0)
    messages.warn(
      `all users on this machine can read --tls-key ${tlsKey}; to fix: chmod 600 ${tlsKey}`,
    );
}

/** Warns about flags that have no effect on a running service (all except `--keep`). */
function warnOfUnused(input: UpInput, { messages, cwd }: Context): void {
  const words = startFlags({ ...input, keep: undefined }, cwd);
  const flags = [...new Set(words.filter((word) => word.startsWith('--')))];
  if (flags.length > 0)
    messages.warn(
      `ignored ${flags.join(', ')}: the local service is already running; to restart it: cictl local down`,
    );
}

/** Serves until `local down` (exit code 0) or a signal (its own exit code), then stops all jobs. */
async function serveInForeground(input: UpInput, context: Context): Promise<void> {
  const start = async () => startOrFind(await serviceOptions(input, context), context.clock);
  const { own: service, other } = await start().catch(async (error: unknown) => {
    if (input.background) await reportNotStarted(error);
    throw error;
  });
  if (service === undefined) {
    if (!input.background) throw alreadyRunning(other);
    return reportStarted(other.url);
  }
  let folderGone: Error | undefined;
  void service.folderGone.then((reason) => (folderGone = reason));
  try {
    await announceForeground(service, input, context);
    await Promise.race([service.closed, aborted(context.signal)]);
  } finally {
    await service.close();
    if (folderGone === undefined) context.messages.note('the local service stopped');
  }
  if (folderGone !== undefined) throw folderGone;
}

/** Exit code 10, because a supervisor must not mistake this for a service that has stopped. */
const alreadyRunning = ({ pid }: ServiceState): CictlError =>
  new CictlError('machine', `a local service is already running (process ${pid})`, {
    hint: 'cictl local down',
  });

async function announceForeground(
  service: Service,
  { background }: UpInput,
  context: Context,
): Promise<void> {
  if (!background) return announce(service, 'running until Ctrl-C', context);
  context.messages.note(`the local service is at ${service.url}`);
  await reportStarted(service.url);
}

/** In text formats, prints only the URL, so that scripts can use it. */
async function announce(
  state: Pick<ServiceState, 'url' | 'adminToken' | 'agentToken'>,
  how: string,
  context: Context,
): Promise<void> {
  const { out, messages } = context;
  const { url } = state;
  await saveLocalProfile(context, state);
  messages.note(`local service ${how}; profile "local" uses it`);
  const status = (await callAdmin(state, 'GET', '/status')) as Partial<ListenStatus>;
  const { listen = null, public_url: publicUrl = null } = status;
  if (listen !== null) {
    const everyInterface = /^(https?:\/\/)(?:0\.0\.0\.0|\[::\])(?=:)/;
    const endpoint = publicUrl ?? listen.replace(everyInterface, `$1${hostname()}`);
    messages.note(`to connect agents on other machines: --endpoint ${endpoint}/v3`);
  }
  await (isText(out) ? out.line(url) : out.one(localService, { url, profile: 'local' }));
}

interface ListenStatus {
  readonly listen: string | null;
  readonly public_url: string | null;
}
