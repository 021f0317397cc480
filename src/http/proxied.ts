import ProxyAgent from 'undici/lib/dispatcher/proxy-agent.js';
import type { Transport } from './transport.ts';
import { overDispatcher, spareCompiler } from './undici.ts';

/** Everything through one proxy: a tunnel for https, whole addresses for http, as curl does. */
export function proxied(proxy: string, nodeVersion: string): Transport {
  spareCompiler(nodeVersion);
  return overDispatcher(new ProxyAgent({ uri: proxy, proxyTunnel: false }));
}
