import { dataDir } from '../../config/folders.ts';
import type { Context } from '../../context.ts';
import { findService } from '../../service/admin.ts';
import { stateSecrets, type ServiceState } from '../../service/state.ts';
import { saveLocalProfile } from './profile.ts';
import { startInBackground } from './start-in-background.ts';

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
