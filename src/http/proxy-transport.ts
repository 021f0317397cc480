import { isIP, type Socket } from 'node:net';
import { request, type IncomingMessage } from 'node:http';
import Agent from 'undici/lib/dispatcher/agent.js';
import type { Dispatcher, buildConnector } from 'undici';
import { ProxyError, TransportError, type Response, type Transport } from './transport.ts';
import { createTrackedConnector, transportOver } from './undici-transport.ts';
import { networkErrorText } from './network-error-text.ts';
import { portOf } from './proxy.ts';
import { usageError } from '../errors.ts';

/** Like curl, tunnels https requests, and sends http requests to the proxy with absolute URLs. */
export function createProxyTransport(address: string): Transport {
  const proxy = parseProxyAddress(address);
  const { connect, drop } = createTrackedConnector();
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

/** Checks the certificate against the proxy's name instead of the `host` header. */
const namedAfter =
  ({ hostname }: Proxy, connect: Connector): Connector =>
  (options, callback) => {
    // An IP address is not a valid TLS server name (RFC 6066).
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

/** Without a tunnel, a 407 always comes from the proxy itself. */
async function checkPassword(response: Response, proxy: Proxy): Promise<void> {
  if (response.status !== 407) return;
  await response.body[Symbol.asyncIterator]().return?.();
  throw new TransportError('', 'no', wantsPassword(proxy));
}

/**
 * Names the proxy in the message if it may be at fault: without a tunnel, or if no request arrived.
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

/** Always fails with a `ProxyError`, because undici retries some other errors endlessly. */
const tunnelThrough =
  (proxy: Proxy, connect: Connector): Connector =>
  (options, callback) => {
    const { hostname, protocol, port } = proxy;
    const target = targetOf(options);
    const fail = (error: Error): void => callback(error, null);
    connect({ hostname, host: proxy.host, protocol, port }, (error, socket) => {
      // On an error the socket is undefined, although its type says null.
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
    asking.once('error', (error) => {
      const hasHungUp = 'code' in error && error.code === 'ECONNRESET';
      refuse(
        new ProxyError(
          hasHungUp
            ? 'the proxy closed the connection instead of opening a tunnel'
            : networkErrorText(error),
        ),
      );
    });
    asking.end();
  });
}

const credential = ({ authorization }: Proxy): Record<string, string> =>
  authorization === undefined ? {} : { 'proxy-authorization': authorization };

function refusal(status: number, target: string, proxy: Proxy): ProxyError {
  if (status === 407) return wantsPassword(proxy);
  return new ProxyError(`the proxy did not open a tunnel to ${target} (${status})`, status < 500);
}

const wantsPassword = ({ authorization }: Proxy): ProxyError =>
  new ProxyError(
    authorization === undefined
      ? 'the proxy requires a user name and password (407)'
      : 'the proxy rejected the user name or password (407)',
    true,
  );

type Connector = buildConnector.connector;

type Proxy = ReturnType<typeof parseProxyAddress>;

/** Ignores the path. The usage error omits the URL, because it may contain a password. */
export function parseProxyAddress(text: string) {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const protocol = url?.protocol;
  if (url === undefined || (protocol !== 'http:' && protocol !== 'https:')) throw unfit(protocol);
  const { username, password, origin, hostname } = url;
  const port = portOf(url);
  return {
    ...{ origin, protocol, hostname, port },
    host: `${hostname}:${port}`,
    /** Value of the `proxy-authorization` header. */
    authorization: username + password === '' ? undefined : basic(username, password),
  };
}

const unfit = (protocol: string | undefined) =>
  usageError(
    `the proxy in HTTPS_PROXY, HTTP_PROXY or ALL_PROXY ${
      protocol === undefined || protocol === ''
        ? 'is not a valid URL'
        : `has the unsupported protocol ${protocol.slice(0, -1)}`
    }; it must be a URL such as http://proxy.example:3128`,
  );

const basic = (user: string, password: string): string =>
  `Basic ${Buffer.concat([bytes(user), Buffer.from(':'), bytes(password)]).toString('base64')}`;

/** Decodes percent-encoding to bytes. Leaves malformed codes such as `%ZZ` unchanged. */
const bytes = (text: string): Buffer =>
  Buffer.from(
    text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    'latin1',
  );
