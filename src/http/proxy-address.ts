import { usageError } from '../errors.ts';
import { portOf } from './port.ts';

/** A proxy, as its address in the environment says. */
export interface Proxy {
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
