import { isIP } from 'node:net';
import Agent from 'undici/lib/dispatcher/agent.js';
import type { Dispatcher, buildConnector } from 'undici';
import { parseProxyAddress, type Proxy } from './proxy-address.ts';
import { ProxyError, TransportError, type Response, type Transport } from './transport.ts';
import { credential, tunnelThrough, wantsPassword } from './tunnel.ts';
import { connections, transportOver } from './undici-transport.ts';

/**
 * Sends everything through one proxy: a tunnel for https, whole addresses for http, as curl does.
 */
export function createProxyTransport(address: string): Transport {
  const proxy = parseProxyAddress(address);
  const { connect, drop } = connections();
  const tunnels = new Agent({ connect: tunnelThrough(proxy, connect) });
  const plain = new Agent({ connect: namedAfter(proxy, connect) });
  const agent: Pick<Dispatcher, 'dispatch' | 'destroy'> = {
    dispatch: (options, handler) =>
      String(options.origin).startsWith('https:')
        ? tunnels.dispatch(options, handler)
        : plain.dispatch(wholeAddress(options, proxy), handler),
    destroy: async () => {
      await Promise.all([tunnels.destroy(), plain.destroy()]);
    },
  };
  const transport = transportOver(agent, drop);
  return {
    ...transport,
    send: async (request) => {
      try {
        const response = await transport.send(request);
        if (request.url.protocol === 'http:') await checkPassword(response, proxy);
        return response;
      } catch (error) {
        throw via(error, request.url, proxy);
      }
    },
  };
}

/** The name in the certificate is that of the proxy, not that of the header `host`. */
const namedAfter =
  ({ hostname }: Proxy, connect: buildConnector.connector): buildConnector.connector =>
  (options, callback) => {
    // An address of IP is no server name (RFC 6066); the certificate is checked against it all the same.
    const servername = isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? hostname : '';
    connect({ ...options, servername }, callback);
  };

const wholeAddress = (
  options: Dispatcher.DispatchOptions,
  proxy: Proxy,
): Dispatcher.DispatchOptions => {
  const { host, origin } = new URL(String(options.origin));
  const own = options.headers as Readonly<Record<string, string>>;
  return {
    ...options,
    origin: proxy.origin,
    path: origin + options.path,
    headers: { ...own, host, ...credential(proxy) },
  };
};

/** Only the proxy itself responds so to a whole address. */
async function checkPassword(response: Response, proxy: Proxy): Promise<void> {
  if (response.status !== 407) return;
  await response.body[Symbol.asyncIterator]().return?.();
  throw new TransportError('', 'no', wantsPassword(proxy));
}

/**
 * Names the proxy where the request did not arrive, since it may have failed there; so may all
 * without a tunnel, since then the proxy responds.
 */
function via(error: unknown, { origin, protocol }: URL, { host }: Proxy): unknown {
  if (!(error instanceof TransportError)) return error;
  const { cause, message, reached } = error;
  const isAnswered = protocol === 'http:' && /^(?:cannot|no answer)/.test(message);
  if (reached !== 'no' && !isAnswered) return error;
  const text =
    cause instanceof ProxyError
      ? `cannot reach ${origin} through the proxy ${host}: ${cause.message}`
      : `${message} (through the proxy ${host})`;
  return new TransportError(text, reached, cause);
}
