import type { Env } from '../context.ts';
import { usageError } from '../errors.ts';
import { proxyFor } from './proxy.ts';
import type { Transport } from './transport.ts';

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
      if (proxy !== undefined) checkProxy(proxy);
      let way = ways.get(proxy ?? '');
      if (way === undefined) {
        way = open(proxy, options);
        ways.set(proxy ?? '', way);
      }
      return (await way).send(request);
    },
    async close() {
      await Promise.all([...ways.values()].map(async (way) => (await way).close()));
      ways.clear();
    },
  };
}

async function open(proxy: string | undefined, options: NetworkOptions): Promise<Transport> {
  if (proxy === undefined) return (await import('./undici.ts')).direct(options.nodeVersion);
  return (await import('./proxied.ts')).proxied(proxy, options.nodeVersion);
}

/** The address is not repeated: it may hold a password. */
function checkProxy(proxy: string): void {
  const protocol = URL.canParse(proxy) ? new URL(proxy).protocol : undefined;
  if (protocol === 'http:' || protocol === 'https:') return;
  throw usageError(
    'the proxy of HTTPS_PROXY or HTTP_PROXY is not an address such as http://proxy.example:3128',
  );
}
