import type { Handler } from '../../cli/command.ts';
import { dataDir } from '../../config/folders.ts';
import { removeData } from '../../local/daemon/reset.ts';
import { stopService } from '../../local/daemon/stop.ts';
import type { localReset } from './reset.ts';

/** `cictl local reset`. */
export const run: Handler<typeof localReset> = async (_, { env, clock, messages, prompts }) => {
  const folder = dataDir(env);
  await prompts.confirm(`Delete all builds, logs and tokens in ${folder}?`, '--yes');
  await stopService(folder, clock);
  await removeData(folder);
  messages.note(`deleted the data of the local service in ${folder}`);
};
