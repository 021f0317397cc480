import { BlockList, isIP } from 'node:net';
import { ApiError } from './api-error.ts';

export interface Reach {
  readonly publicUrl?: string | undefined;
  /**
   * Returns the origin that the client used, according to `Host`, such as `http://127.0.0.1:8090`.
   * `page` is the `Origin` header. Throws `ApiError` 403 if the request was meant for another host
   * or comes from another site.
   */
  originOf(host: string | undefined, page: string | undefined): string;
}

const names = ['127.0.0.1', 'localhost', '[::1]'];

/** `Host` reveals DNS rebinding, and `Origin` reveals browser requests from other sites. */
export function loopbackReach(port: number): Reach {
  // Browsers omit the default port.
  const endings = port === 80 ? ['', ':80'] : [`:${port}`];
  const hosts = new Set(names.flatMap((name) => endings.map((one) => name + one)));
  const origins = new Set([...hosts].map((host) => `http://${host}`));
  return {
    originOf(host = '', page) {
      if (!hosts.has(host.toLowerCase()))
        throw new ApiError(403, 'Forbidden: this service only responds at 127.0.0.1 and localhost');
      if (page !== undefined && !origins.has(page))
        throw new ApiError(
          403,
          'Forbidden: this service does not accept requests from other origins',
        );
      return `http://${host.toLowerCase()}`;
    },
  };
}

export const isEveryInterface = (host: string): boolean =>
  isIP(host) !== 0 && any.check(host, isIP(host) === 4 ? 'ipv4' : 'ipv6');

export const isLoopback = (host: string): boolean =>
  host.toLowerCase() === 'localhost' ||
  (isIP(host) !== 0 && loopback.check(host, isIP(host) === 4 ? 'ipv4' : 'ipv6'));

export const inUrl = (host: string): string => (isIP(host) === 6 ? `[${host}]` : host);

// `BlockList` handles all notations, including IPv4 addresses in IPv6 form.
const any = new BlockList();
any.addAddress('0.0.0.0');
any.addAddress('::', 'ipv6');

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8);
loopback.addAddress('::1', 'ipv6');
