import { proxyFor } from './proxy.ts';
import type { Transport } from './transport.ts';
import type { Env } from '../env.ts';

export interface NetworkOptions {
  /** For HTTPS_PROXY, HTTP_PROXY and NO_PROXY; Node itself reads NODE_EXTRA_CA_CERTS. */
  readonly env: Env;
  /** `process.versions.node`: Node 20 is given a flag that halves the cost of the first request. */
  readonly nodeVersion: string;
}

/** The network. The HTTP library is loaded at the first request, one agent for each way out. */
export function createTransport(options: NetworkOptions): Transport {
  const ways = new Map<string, Promise<Transport>>();
  return {
    async send(request) {
      const proxy = proxyFor(request.url, options.env);
      let way = ways.get(proxy ?? '');
      if (way === undefined) {
        way = open(proxy, options);
        ways.set(proxy ?? '', way);
      }
      return (await way).send(request);
    },
    async close() {
      // A way that could not be opened has been told to whoever wanted it.
      for (const way of ways.values()) {
        const transport = await way.catch(() => undefined);
        await transport?.close();
      }
      ways.clear();
    },
  };
}

async function open(proxy: string | undefined, options: NetworkOptions): Promise<Transport> {
  if (proxy === undefined) return (await import('./undici.ts')).direct(options.nodeVersion);
  return (await import('./proxy-transport.ts')).proxied(proxy, options.nodeVersion);
}
