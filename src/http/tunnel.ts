import { request, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';
import type { Proxy } from './proxy-address.ts';
import { networkErrorText } from './network-error-text.ts';
import { portOf } from './port.ts';
import { ProxyError } from './transport.ts';

type Connector = buildConnector.connector;

/**
 * A connector whose connections lead through a tunnel of the proxy. All that fails before the
 * tunnel is open is a `ProxyError`: undici would connect again at once, without end, for some of
 * the errors that it knows.
 */
export const tunnelThrough =
  (proxy: Proxy, connect: Connector): Connector =>
  (options, callback) => {
    const { hostname, protocol, port } = proxy;
    const target = targetOf(options);
    const fail = (error: Error): void => callback(error, null);
    connect({ hostname, host: proxy.host, protocol, port }, (error, socket) => {
      // With an error there is no socket at all, where the type says null.
      if (error !== null) {
        fail(new ProxyError(networkErrorText(error)));
        return;
      }
      askForTunnel(socket, target, proxy).then(() => {
        if (options.protocol !== 'https:') callback(null, socket);
        else connect({ ...options, httpSocket: socket }, callback);
      }, fail);
    });
  };

const targetOf = ({ hostname, port, protocol }: buildConnector.Options): string => {
  const host = hostname.includes(':') ? `[${hostname.replace(/^\[|\]$/g, '')}]` : hostname;
  return `${host}:${portOf({ port, protocol })}`;
};

function askForTunnel(socket: Socket, target: string, proxy: Proxy): Promise<void> {
  return new Promise((resolve, reject) => {
    const refuse = (error: ProxyError): void => {
      socket.on('error', () => undefined).destroy();
      reject(error);
    };
    const asking = request({
      method: 'CONNECT',
      path: target,
      headers: { host: target, ...credential(proxy) },
      createConnection: () => socket,
    });
    asking.once('connect', (response: IncomingMessage, _socket, head) => {
      const { statusCode = 0 } = response;
      if (statusCode < 200 || statusCode > 299) {
        refuse(refusal(statusCode, target, proxy));
        return;
      }
      if (head.length > 0) socket.unshift(head);
      resolve();
    });
    asking.once('error', (error) => refuse(new ProxyError(hangUpText(error))));
    asking.end();
  });
}

export const credential = ({ authorization }: Proxy): Record<string, string> =>
  authorization === undefined ? {} : { 'proxy-authorization': authorization };

const hangUpText = (error: Error): string =>
  'code' in error && error.code === 'ECONNRESET'
    ? 'it hung up when it was asked for a tunnel'
    : networkErrorText(error);

/** Temporary failures are retried; a refusal is one. */
function refusal(status: number, target: string, proxy: Proxy): ProxyError {
  if (status === 407) return wantsPassword(proxy);
  return new ProxyError(`it opens no tunnel to ${target} (${status})`, status < 500);
}

export const wantsPassword = ({ authorization }: Proxy): ProxyError =>
  new ProxyError(
    authorization === undefined
      ? 'it wants a user name and password (407)'
      : 'it refuses the user name or password (407)',
    true,
  );
