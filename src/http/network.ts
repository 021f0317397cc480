import { proxyFor } from './proxy.ts';
import type { Transport } from './transport.ts';
import type { Env } from '../common/env.ts';

interface NetworkOptions {
  /** For HTTPS_PROXY, HTTP_PROXY and NO_PROXY; Node itself reads NODE_EXTRA_CA_CERTS. */
  readonly env: Env;
  /** `process.versions.node`: Node 20 is given a flag that halves the cost of the first request. */
  readonly nodeVersion: string;
}

/** The network. The HTTP library is loaded at the first request, one agent for each proxy. */
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
      // A transport that could not be opened has rejected its request already.
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
  // Behind the imports: V8 takes no code that was kept under other flags.
  await spareCompiler(options.nodeVersion);
  return create(proxy ?? '');
}

/**
 * On Node 20 V8 compiles undici's WebAssembly parser a second time, optimised, and the process
 * waits for that at its end: 80 ms for nothing. Later lines do not, and the flag slows them down.
 * To be called before the first request.
 *
 * @param nodeVersion `process.versions.node`
 */
async function spareCompiler(nodeVersion: string): Promise<void> {
  const flag = compilerFlag(nodeVersion);
  // Loaded where it is used alone: that takes most of a millisecond.
  if (flag !== undefined) (await import('node:v8')).setFlagsFromString(flag);
}

export const compilerFlag = (nodeVersion: string): string | undefined =>
  nodeVersion.startsWith('20.') ? '--liftoff-only' : undefined;
