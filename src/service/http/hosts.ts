/** What a host of a listener means: an IP address without brackets, or a name. */
import { BlockList, isIP } from 'node:net';

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
