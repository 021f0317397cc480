/**
 * A port of this machine for what is started again on the same one. Not one of those that systems hand out to
 * whoever asks for any: of two tests at once the other could get it while nobody listens.
 */
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_000);
    if (await isFree(port)) return port;
  }
}

/** Whether nobody listens there. */
export async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening');
    return true;
  } catch {
    return false;
  } finally {
    await new Promise((closed) => server.close(closed));
  }
}
