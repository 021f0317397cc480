import type { Handler } from '../../cli/command.ts';
import { dataDir } from '../../config/folders.ts';
import { callAdmin, findService } from '../../local/admin.ts';
import { stateSecrets } from '../../local/state.ts';
import { localService, notRunning } from './service.ts';
import type { localStatus } from './status.ts';

/** `cictl local status`. */
export const run: Handler<typeof localStatus> = async (_, { env, out, secrets }) => {
  const state = await findService(dataDir(env));
  if (state === undefined) throw notRunning();
  secrets.add(...stateSecrets(state));
  const status = await callAdmin(state, 'GET', '/status');
  await out.one(localService, { ...(status as object), profile: 'local' });
};
