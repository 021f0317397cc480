import type { Handler } from '../../cli/command.ts';
import { dataDir } from '../../config/folders.ts';
import { stopService } from '../../local/daemon/stop.ts';
import type { localDown } from './down.ts';

/** `cictl local down`. */
export const run: Handler<typeof localDown> = async (_, { env, clock, messages }) => {
  const stopped = await stopService(dataDir(env), clock);
  messages.note(stopped ? 'the local service has ended' : 'the local service was not running');
};
