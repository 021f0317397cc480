import { proxyFor } from './proxy.ts';
import type { Transport } from './transport.ts';
import type { Env } from '../common/env.ts';

interface NetworkOptions {
  /** Provides HTTPS_PROXY, HTTP_PROXY and NO_PROXY. Node itself reads NODE_EXTRA_CA_CERTS. */
  readonly env: Env;
  readonly nodeVersion: string;
}

/** Loads the HTTP library at the first request. Uses one undici agent per proxy. */
export function createNetworkTransport(options: NetworkOptions): Transport {
  const transports = new Map<string, Promise<Transport>>();
  return {
    async send(request) {
      const proxy = proxyFor(request.url, options.env);
      let opened = transports.get(proxy ?? '');
      if (opened === undefined) {
        opened = open(proxy, options);
        transports.set(proxy ?? '', opened);
      }
      return (await opened).send(request);
    },
    async close() {
      // If a transport could not be opened, its request has already failed.
      for (const opened of transports.values()) {
        const transport = await opened.catch(() => undefined);
        await transport?.close();
      }
      transports.clear();
    },
  };
}

async function open(proxy: string | undefined, options: NetworkOptions): Promise<Transport> {
  const create =
    proxy === undefined
      ? (await import('./undici-transport.ts')).directTransport
      : (await import('./proxy-transport.ts')).createProxyTransport;
  // Must come after the imports, because V8 rejects cached code compiled with other flags.
  const flag = compilerFlag(options.nodeVersion);
  if (flag !== undefined) (await import('node:v8')).setFlagsFromString(flag);
  return create(proxy ?? '');
}

/**
 * Returns a V8 flag for Node 20, which optimizes undici's WebAssembly parser in the background and
 * waits for that before it exits (80 ms). Later releases do not wait, and the flag slows them down.
 */
export const compilerFlag = (nodeVersion: string): string | undefined =>
  nodeVersion.startsWith('20.') ? '--liftoff-only' : undefined;
