import { isIP, type Socket } from 'node:net';
import { request, type IncomingMessage } from 'node:http';
import Agent from 'undici/lib/dispatcher/agent.js';
import type { Dispatcher, buildConnector } from 'undici';
import { ProxyError, TransportError, type Response, type Transport } from './transport.ts';
import { connections, transportOver } from './undici-transport.ts';
import { networkErrorText } from './network-error-text.ts';
import { portOf } from './proxy.ts';
import { usageError } from '../errors.ts';

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

type Connector = buildConnector.connector;

/**
 * A connector whose connections lead through a tunnel of the proxy. All that fails before the
 * tunnel is open is a `ProxyError`: undici would connect again at once, without end, for some of
 * the errors that it knows.
 */
const tunnelThrough =
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

const credential = ({ authorization }: Proxy): Record<string, string> =>
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

const wantsPassword = ({ authorization }: Proxy): ProxyError =>
  new ProxyError(
    authorization === undefined
      ? 'it wants a user name and password (407)'
      : 'it refuses the user name or password (407)',
    true,
  );

/** A proxy, as its address in the environment says. */
interface Proxy {
  /** `http://proxy.test:3128`: no path, no credential. */
  readonly origin: string;
  readonly protocol: 'http:' | 'https:';
  /** Host and port, as messages name it. */
  readonly host: string;
  readonly hostname: string;
  readonly port: string;
  /** Value of the header `proxy-authorization`, where its address has a user name or password. */
  readonly authorization: string | undefined;
}

/**
 * Reads the address of a proxy; a path in it means nothing. Throws a usage error, which does not
 * repeat the address, because it may hold a password.
 */
export function parseProxyAddress(text: string): Proxy {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const protocol = url?.protocol;
  if (url === undefined || (protocol !== 'http:' && protocol !== 'https:')) throw unfit(protocol);
  const { username, password, origin, hostname } = url;
  const port = portOf(url);
  return {
    ...{ origin, protocol, hostname, port },
    host: `${hostname}:${port}`,
    authorization: username + password === '' ? undefined : basic(username, password),
  };
}

const unfit = (protocol: string | undefined) =>
  usageError(
    `the proxy of HTTPS_PROXY, HTTP_PROXY or ALL_PROXY ${
      protocol === undefined || protocol === ''
        ? 'is not an address'
        : `speaks ${protocol.slice(0, -1)}, and only http and https are understood`
    }: it is written such as http://proxy.example:3128`,
  );

const basic = (user: string, password: string): string =>
  `Basic ${Buffer.concat([bytes(user), Buffer.from(':'), bytes(password)]).toString('base64')}`;

/** What is percent-encoded, byte by byte; `%ZZ` stands for itself. */
const bytes = (text: string): Buffer =>
  Buffer.from(
    text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    'latin1',
  );
