import { createReadStream } from 'node:fs';
import { access } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { Handler } from '../../command/command.ts';
import { dataDir } from '../../config/folders.ts';
import { serviceLog } from '../../service/daemon/spawn.ts';
import type { localLogs } from './index.ts';

/** `cictl local logs`. */
export const printServiceLog: Handler<typeof localLogs> = async (_, { env, out, messages }) => {
  const file = serviceLog(dataDir(env));
  if (!(await exists(file))) {
    messages.note('the local service has not said anything yet');
    return;
  }
  for await (const line of createInterface({ input: createReadStream(file) })) await out.line(line);
};

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );
