import { BlockList, isIP } from 'node:net';
import { ApiError } from './api-error.ts';

/** Which requests are meant for an address of the service, and what their senders call it. */
export interface Reach {
  /** The origin of those who may come through a proxy; undefined where there is none. */
  readonly publicUrl?: string | undefined;
  /**
   * The origin (`http://127.0.0.1:8090`) under which the sender reaches the service, by the headers
   * `Host` and `Origin` of its request. Throws `ApiError` 403 for one that was not meant for it.
   */
  originOf(host: string | undefined, page: string | undefined): string;
}

// Against pages in a browser of this machine: a name that leads here by DNS rebinding shows in
// `Host`, a foreign page in `Origin`.

const names = ['127.0.0.1', 'localhost', '[::1]'];

/** What is meant for a service on this port of 127.0.0.1. */
export function loopbackReach(port: number): Reach {
  // Of the usual port browsers say nothing.
  const endings = port === 80 ? ['', ':80'] : [`:${port}`];
  const hosts = new Set(names.flatMap((name) => endings.map((one) => name + one)));
  const origins = new Set([...hosts].map((host) => `http://${host}`));
  return {
    originOf(host = '', page) {
      if (!hosts.has(host.toLowerCase()))
        throw new ApiError(403, 'Forbidden: this service answers at 127.0.0.1 and localhost alone');
      if (page !== undefined && !origins.has(page))
        throw new ApiError(403, 'Forbidden: this service answers no other origin');
      return `http://${host.toLowerCase()}`;
    },
  };
}

// What a host of a listener means: an IP address without brackets, or a name.

/** Whether it stands for all interfaces of this machine. */
export const isEveryInterface = (host: string): boolean =>
  isIP(host) !== 0 && any.check(host, isIP(host) === 4 ? 'ipv4' : 'ipv6');

/** Whether only programs of this machine reach it. */
export const isLoopback = (host: string): boolean =>
  host.toLowerCase() === 'localhost' ||
  (isIP(host) !== 0 && loopback.check(host, isIP(host) === 4 ? 'ipv4' : 'ipv6'));

/** As in a URL. */
export const inUrl = (host: string): string => (isIP(host) === 6 ? `[${host}]` : host);

// They understand every way to write an address, and those of IPv4 within IPv6.
const any = new BlockList();
any.addAddress('0.0.0.0');
any.addAddress('::', 'ipv6');

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8);
loopback.addAddress('::1', 'ipv6');
