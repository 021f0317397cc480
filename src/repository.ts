/** Addresses of repositories, as git takes them. */
import { resolve } from 'node:path';

/**
 * Host and path, by which two addresses of one repository are the same: scheme, user, port and `.git`
 * aside. `git@ci.example:acme/web.git` and `https://ci.example/acme/web` give `ci.example/acme/web`.
 */
export function repositoryName(address: string): string {
  const [, urlHost, urlPath] = /^[a-z][a-z\d+.-]*:\/\/(?:[^/]*@)?([^/]*)(.*)$/i.exec(address) ?? [];
  if (urlHost !== undefined) return joined(urlHost.replace(/:\d+$/, ''), urlPath ?? '');
  const [, host, path] = /^(?:[^/@:]+@)?(\[[^\]]+\]|[^/:]{2,}):(.*)$/.exec(address) ?? [];
  return host === undefined ? joined('', address) : joined(host, path ?? '');
}

/** Hosts ignore the case of a path, file systems do not. */
function joined(host: string, path: string): string {
  const clean = path
    .replace(/[/\\]+$/, '')
    .replace(/\.git$/i, '')
    .replace(/^\/+/, '');
  return host === '' ? `/${clean}` : `${host}/${clean}`.toLowerCase();
}

/** The address without what opens the repository. The user of SSH stays: git needs it. */
export const withoutCredentials = (address: string): string =>
  address.replace(/^([a-z][a-z\d+.-]*:\/\/)([^/]*)@/i, (_, scheme: string, user: string) => {
    const name = /^https?:/i.test(scheme) ? '' : user.replace(/:.*$/s, '');
    return name === '' ? scheme : `${scheme}${name}@`;
  });

export interface Remotes {
  /** URL of the remote that the current branch comes from, otherwise of `origin` or the only one. */
  readonly usual: string | undefined;
  /** URLs of all remotes, the usual one first: a fork has that of the project, too. */
  readonly all: readonly string[];
}

/** The remotes of a checkout, without credentials. `run` resolves to what git prints, if it succeeds. */
export async function readRemotes(
  run: (...args: string[]) => Promise<string | undefined>,
): Promise<Remotes> {
  const [list = '', branch] = await Promise.all([
    run('remote', '--verbose'),
    run('symbolic-ref', '--quiet', '--short', 'HEAD'),
  ]);
  const fetched = [...list.matchAll(/^(.+?)\t(.+) \(fetch\)/gm)];
  const named = new Map(fetched.map(([, name = '', url = '']) => [name, withoutCredentials(url)]));
  if (named.size === 0) return { usual: undefined, all: [] };
  const tracked = branch && (await run('config', '--get', `branch.${branch.trim()}.remote`));
  const [first, ...others] = named.values();
  const usual =
    named.get(tracked?.trim() ?? '') ??
    named.get('origin') ??
    (others.length > 0 ? undefined : first);
  const urls = [...new Set([usual, ...named.values()])].filter((url) => url !== undefined);
  if (!urls.some(isRelative)) return { usual, all: urls };
  const root = (await run('rev-parse', '--show-toplevel'))?.trim() ?? '';
  const whole = (url: string): string => (isRelative(url) ? resolve(root, url) : url);
  return { usual: usual && whole(usual), all: urls.map(whole) };
}

/** A path that git reads from the top of the checkout. */
const isRelative = (url: string): boolean => /^\.\.?(\/|$)/.test(url);
