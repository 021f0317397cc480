import { BlockList, isIP } from 'node:net';
import type { Env } from '../common/env.ts';

/**
 * Returns the proxy that the environment sets for a URL. As in curl, lower-case variables take
 * precedence, an empty variable is treated as unset, and ALL_PROXY is the fallback. NO_PROXY lists
 * hosts, which include their subdomains (`example.com`, `.example.com`, `10.0.0.1:8080`, `[::1]`),
 * networks (`10.0.0.0/8`, `fd00::/8`) or `*`. docs/environment.md has a comparison.
 */
export function proxyFor(url: URL, env: Env): string | undefined {
  const name = url.protocol === 'https:' ? 'https_proxy' : 'http_proxy';
  const proxy = read(env, name) ?? read(env, 'all_proxy');
  if (proxy === undefined || isExcepted(url, read(env, 'no_proxy') ?? '')) return undefined;
  return proxy.includes('://') ? proxy : `http://${proxy}`;
}

function read(env: Env, name: string): string | undefined {
  const values = [env[name], env[name.toUpperCase()]].map((value) => value?.trim());
  return values.find((value) => value !== undefined && value !== '');
}

const isExcepted = (url: URL, exceptions: string): boolean =>
  exceptions
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => entry !== '' && (entry === '*' || covers(entry, url)));

function covers(entry: string, url: URL): boolean {
  if (entry.includes('/')) return isWithin(entry, bare(url.hostname));
  const [, host = entry, port] = /^(.*?[^:\]]|\[.*\]):(\d+)$/.exec(entry) ?? [];
  if (port !== undefined && port !== portOf(url)) return false;
  const name = bare(host.replace(/^\*?\./, ''));
  const own = bare(url.hostname.toLowerCase());
  return own === name || own.endsWith(`.${name}`);
}

/** Host names never match a network, because they are not resolved. */
function isWithin(entry: string, host: string): boolean {
  const [, network = '', digits = ''] = /^\[?([\da-f.:]+?)\]?\/(\d{1,3})$/.exec(entry) ?? [];
  const kind = isIP(network);
  const bits = Number(digits);
  if (kind === 0 || kind !== isIP(host) || bits > (kind === 4 ? 32 : 128)) return false;
  const family = kind === 4 ? 'ipv4' : 'ipv6';
  const list = new BlockList();
  list.addSubnet(network, bits, family);
  return list.check(host, family);
}

const bare = (host: string): string => host.replace(/^\[|\]$/g, '').replace(/\.$/, '');

export const portOf = ({ port, protocol }: { port: string; protocol: string }): string =>
  port !== '' ? port : protocol === 'https:' ? '443' : '80';
