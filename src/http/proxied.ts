// The main file, dear as it is: a tunnel needs the methods that it adds to every dispatcher.
import { ProxyAgent } from 'undici';
import { TransportError, type Transport } from './transport.ts';
import { overDispatcher, spareCompiler } from './undici.ts';

/** Everything through one proxy: a tunnel for https, whole addresses for http, as curl does. */
export function proxied(proxy: string, nodeVersion: string): Transport {
  spareCompiler(nodeVersion);
  const transport = overDispatcher(new ProxyAgent({ uri: proxy, proxyTunnel: false }));
  return {
    ...transport,
    send: (request) => transport.send(request).catch(throwVia(new URL(proxy).host)),
  };
}

/** What did not arrive may have failed at the proxy, of which the user may not think. */
const throwVia =
  (host: string) =>
  (error: unknown): never => {
    if (!(error instanceof TransportError) || error.reached !== 'no') throw error;
    throw new TransportError(`${error.message} (through the proxy ${host})`, 'no', error.cause);
  };
