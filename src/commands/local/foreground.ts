import type { Input } from '../../cli/command.ts';
import { dataDir } from '../../config/folders.ts';
import type { Context } from '../../context.ts';
import { saveLocalProfile } from './profile.ts';
import type { Service } from '../../local/service.ts';
import { printUp } from './service.ts';
import type { localUp } from './up.ts';

/**
 * Serves in this process until `local down` (code 0) or a signal (its code). What runs then is
 * ended in order.
 */
export async function serveHere(input: Input<typeof localUp>, context: Context): Promise<void> {
  const { startService } = await import('../../local/service.ts');
  const { port = 0, rateLimit } = input;
  const limit = rateLimit === undefined ? {} : { rateLimit };
  const service = await startService({ dataDir: dataDir(context.env), port, ...limit });
  try {
    await tell(service, input, context);
    await Promise.race([service.closed, aborted(context.signal)]);
  } finally {
    await service.close();
    context.messages.note('the local service has ended');
  }
}

async function tell(service: Service, input: Input<typeof localUp>, context: Context) {
  if (input.background) {
    context.messages.note(`the local service answers at ${service.url}`);
    return;
  }
  await saveLocalProfile(context, service);
  context.messages.note('the local service runs until Ctrl-C; profile "local" leads to it');
  await printUp(service, context);
}

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const fail = (): void => {
      reject(signal.reason as Error);
    };
    if (signal.aborted) fail();
    else signal.addEventListener('abort', fail, { once: true });
  });
