// The main file, dear as it is: a tunnel needs the methods that it adds to every dispatcher.
import { ProxyAgent } from 'undici';
import type { Transport } from './transport.ts';
import { overDispatcher, spareCompiler } from './undici.ts';

/** Everything through one proxy: a tunnel for https, whole addresses for http, as curl does. */
export function proxied(proxy: string, nodeVersion: string): Transport {
  spareCompiler(nodeVersion);
  return overDispatcher(new ProxyAgent({ uri: proxy, proxyTunnel: false }));
}
