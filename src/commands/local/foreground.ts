import { aborted } from '../../abort.ts';
import type { Input } from '../../command/command.ts';
import type { Context } from '../../context.ts';
import { CictlError } from '../../errors.ts';
import { startOrFind } from '../../service/daemon/host.ts';
import { reportNotStarted, reportStarted } from '../../service/daemon/start-report.ts';
import type { Service } from '../../service/start-service.ts';
import type { ServiceState } from '../../service/state.ts';
import { announceListen } from './announce-listen.ts';
import { saveLocalProfile } from './profile.ts';
import { printUp } from './service.ts';
import { serviceOptions } from './service-options.ts';
import type { localUp } from './index.ts';

/**
 * Serves in this process until `local down` (exit code 0) or a signal (its code). Then it stops
 * whatever is running.
 */
export async function serveInForeground(
  input: Input<typeof localUp>,
  context: Context,
): Promise<void> {
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
export const alreadyRunning = ({ pid }: ServiceState): CictlError =>
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
    await announce(service, input, context);
    await Promise.race([service.closed, aborted(context.signal)]);
  } finally {
    await service.close();
    if (gone === undefined) context.messages.note('the local service has ended');
  }
  return gone;
}

async function announce(service: Service, input: Input<typeof localUp>, context: Context) {
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
