/** The address of the service stays what it was, as far as that is possible. */
import type { Settings } from '../store/settings.ts';
import { listen, type Listener } from './listen.ts';

/**
 * Listens at `port`, else where it did last time, else, where that is taken, at any free port, and
 * notes which it is. Throws `CictlError` `machine` where `port` cannot be had.
 */
export async function listenAsBefore(settings: Settings, port?: number): Promise<Listener> {
  const last = Number(settings.get('port') ?? 0);
  const server = port === undefined ? await listenAt(last) : await listen({ port });
  if (server.port !== last) settings.set('port', String(server.port));
  return server;
}

const listenAt = (port: number): Promise<Listener> =>
  listen({ port }).catch((error: unknown) => {
    if (port === 0) throw error;
    return listen({ port: 0 });
  });
