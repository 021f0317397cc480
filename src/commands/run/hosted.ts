import { dataDir } from '../../config/folders.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import { callAdmin } from '../../service/admin.ts';
import { hostService, type Hosted } from '../../service/daemon/host.ts';
import { stateSecrets } from '../../service/state.ts';
import { runningService } from '../local/with-service.ts';
import type { RunInput } from './request.ts';
import { usualPort } from './usual-port.ts';

/**
 * The service that does the run: the one that runs already, else one in this process. Agents are
 * connected to the first alone, so that without it `--agents` is code 9.
 */
export async function hosted(
  { jobs, agents }: Pick<RunInput, 'jobs' | 'agents'>,
  context: Context,
): Promise<Hosted> {
  if (agents) await runningService(context);
  const { env, clock, messages, secrets } = context;
  const options = {
    dataDir: dataDir(env),
    isConfined: true,
    ...(jobs === undefined ? {} : { slots: jobs }),
  };
  const host = await hostService(options, clock, usualPort({ env }));
  secrets.add(...stateSecrets(host.state));
  if (!host.isOwn && !agents) await checkSlots(host);
  if (!host.isOwn && jobs !== undefined) {
    messages.warn('the local service runs already with slots of its own: --jobs has no effect');
  }
  return host;
}

/** Its jobs would wait for ever. */
async function checkSlots({ state }: Hosted): Promise<void> {
  const { slots } = (await callAdmin(state, 'GET', '/status')) as { slots: number };
  if (slots === 0)
    throw usageError(
      'the local service has no slots of its own: it runs jobs on agents alone',
      'cictl run --agents',
    );
}
