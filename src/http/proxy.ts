import type { Env } from '../context.ts';

/**
 * The proxy for an address, as the environment says, or undefined for none. As with curl the names
 * in lower case win, and NO_PROXY holds hosts with all below them (`example.com`, `.example.com`,
 * `10.0.0.1:8080`, `[::1]`) or `*`.
 */
export function proxyFor(url: URL, env: Env): string | undefined {
  const name = url.protocol === 'https:' ? 'https_proxy' : 'http_proxy';
  const proxy = read(env, name);
  if (proxy === undefined || isExcepted(url, read(env, 'no_proxy') ?? '')) return undefined;
  return proxy.includes('://') ? proxy : `http://${proxy}`;
}

function read(env: Env, name: string): string | undefined {
  const value = (env[name] ?? env[name.toUpperCase()])?.trim();
  return value === '' ? undefined : value;
}

const isExcepted = (url: URL, exceptions: string): boolean =>
  exceptions
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => entry !== '' && (entry === '*' || covers(entry, url)));

function covers(entry: string, url: URL): boolean {
  const [, host = entry, port] = /^(.*?[^:\]]|\[.*\]):(\d+)$/.exec(entry) ?? [];
  if (port !== undefined && port !== portOf(url)) return false;
  const name = bare(host.replace(/^\*?\./, ''));
  const own = bare(url.hostname.toLowerCase());
  return own === name || own.endsWith(`.${name}`);
}

const bare = (host: string): string => host.replace(/^\[|\]$/g, '').replace(/\.$/, '');

const portOf = (url: URL): string =>
  url.port !== '' ? url.port : url.protocol === 'https:' ? '443' : '80';
