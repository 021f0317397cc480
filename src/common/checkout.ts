import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';

/** Whether git might find a repository here or in a parent. If not, git is not started. */
export function mayBeInCheckout(folder: string): boolean {
  for (let at = realPath(folder); ; at = dirname(at)) {
    if (existsSync(join(at, '.git')) || isRepository(at)) return true;
    if (at === dirname(at)) return false;
  }
}

/** Includes bare repositories, because they have commits and branches. */
const isRepository = (folder: string): boolean =>
  existsSync(join(folder, 'HEAD')) && existsSync(join(folder, 'objects'));

/** A directory relative to its repository. The same in all worktrees and through symbolic links. */
interface RepositoryPath {
  /** Absolute path of the directory shared by all worktrees; undefined outside git */
  readonly repository?: string;
  /** Path in the checkout; absolute if there is no repository */
  readonly path: string;
}

export function placeOf(folder: string): RepositoryPath {
  const real = realPath(folder);
  for (let at = real; ; at = dirname(at)) {
    const repository = sharedFolder(join(at, '.git'));
    if (repository !== undefined) return { repository, path: relative(at, real) };
    if (at === dirname(at)) return { path: real };
  }
}

export function isWithin(inner: RepositoryPath, outer: RepositoryPath): boolean {
  const way = relative(outer.path, inner.path);
  const isBelow = way === '' || !(isAbsolute(way) || /^\.\.([/\\]|$)/.test(way));
  return inner.repository === outer.repository && isBelow;
}

/** In a worktree, `.git` is a file that points to the repository. */
function sharedFolder(git: string): string | undefined {
  try {
    if (statSync(git).isDirectory()) return realpathSync(git);
    const [, link] = /^gitdir: (.*)$/m.exec(readFileSync(git, 'utf8')) ?? [];
    if (link === undefined) return undefined;
    const own = resolve(dirname(git), link);
    const common = join(own, 'commondir');
    const shared = existsSync(common) ? readFileSync(common, 'utf8').trim() : '.';
    return realpathSync(resolve(own, shared));
  } catch {
    return undefined;
  }
}

/** Resolves symbolic links, because git follows them and searches the parents of their targets. */
function realPath(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}

/**
 * Host and path of a repository URL, for comparison. Scheme, user, port and `.git` are ignored.
 * `git@ci.example:acme/web.git` and `https://ci.example/acme/web` become `ci.example/acme/web`.
 */
export function repositoryName(address: string): string {
  const [, urlHost, urlPath] = /^[a-z][a-z\d+.-]*:\/\/(?:[^/]*@)?([^/]*)(.*)$/i.exec(address) ?? [];
  if (urlHost !== undefined) return joined(urlHost.replace(/:\d+$/, ''), urlPath ?? '');
  const [, host, path] = /^(?:[^/@:]+@)?(\[[^\]]+\]|[^/:]{2,}):(.*)$/.exec(address) ?? [];
  return host === undefined ? joined('', address) : joined(host, path ?? '');
}

/** Git hosts ignore case in paths; file systems do not. */
function joined(host: string, path: string): string {
  const clean = path
    .replace(/[/\\]+$/, '')
    .replace(/\.git$/i, '')
    .replace(/^\/+/, '');
  return host === '' ? `/${clean}` : `${host}/${clean}`.toLowerCase();
}

/** Removes passwords and tokens, but keeps the user of an SSH URL. */
export const withoutCredentials = (address: string): string =>
  address.replace(/^([a-z][a-z\d+.-]*:\/\/)([^/]*)@/i, (_, scheme: string, user: string) => {
    const name = /^https?:/i.test(scheme) ? '' : user.replace(/:.*$/s, '');
    return name === '' ? scheme : `${scheme}${name}@`;
  });

export interface Remotes {
  /** URL of the current branch's remote, otherwise of `origin`, otherwise of the only remote */
  readonly usual: string | undefined;
  /** Starts with the usual remote. A fork may also have the original repository as a remote. */
  readonly all: readonly string[];
}

/** URLs without credentials. `run` resolves to the output of git, or undefined if it fails. */
export async function readRemotes(
  run: (...args: string[]) => Promise<string | undefined>,
): Promise<Remotes> {
  const list = (await run('remote', '--verbose')) ?? '';
  const fetched = [...list.matchAll(/^(.+?)\t(.+) \(fetch\)/gm)];
  const named = new Map(fetched.map(([, name = '', url = '']) => [name, withoutCredentials(url)]));
  if (named.size === 0) return { usual: undefined, all: [] };
  // With only one remote, the branch does not matter.
  const branch = named.size > 1 && (await run('symbolic-ref', '--quiet', '--short', 'HEAD'));
  const tracked = branch && (await run('config', '--get', `branch.${branch.trim()}.remote`));
  const [first, ...others] = named.values();
  const usual =
    named.get(tracked ? tracked.trim() : '') ??
    named.get('origin') ??
    (others.length > 0 ? undefined : first);
  const urls = [...new Set([usual, ...named.values()])].filter((url) => url !== undefined);
  if (!urls.some(isRelative)) return { usual, all: urls };
  const root = (await run('rev-parse', '--show-toplevel'))?.trim() ?? '';
  const whole = (url: string): string => (isRelative(url) ? resolve(root, url) : url);
  return { usual: usual && whole(usual), all: urls.map(whole) };
}

const isRelative = (url: string): boolean => /^\.\.?(\/|$)/.test(url);
