import { proxyFor } from './proxy.ts';
import type { Transport } from './transport.ts';
import type { Env } from '../common/env.ts';

interface NetworkOptions {
  /** For HTTPS_PROXY, HTTP_PROXY and NO_PROXY. Node itself reads NODE_EXTRA_CA_CERTS. */
  readonly env: Env;
  readonly nodeVersion: string;
}

/** A transport that loads the HTTP library at the first request and uses one agent per proxy. */
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
      // If opening failed, the request has been rejected already.
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
  // Must come after the imports: V8 rejects cached code that was compiled with other flags.
  const flag = compilerFlag(options.nodeVersion);
  if (flag !== undefined) (await import('node:v8')).setFlagsFromString(flag);
  return create(proxy ?? '');
}

/**
 * Node 20 compiles undici's WebAssembly parser a second time with optimization and waits for that
 * before it exits, which costs 80 ms. Later releases do not, and the flag slows them down.
 */
export const compilerFlag = (nodeVersion: string): string | undefined =>
  nodeVersion.startsWith('20.') ? '--liftoff-only' : undefined;
