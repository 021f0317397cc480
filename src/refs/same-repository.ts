/** Addresses of repositories, as git takes them. */

/**
 * Host and path, by which two addresses of one repository are the same: scheme, user, port and `.git`
 * aside. `git@ci.example:acme/web.git` and `https://ci.example/acme/web` give `ci.example/acme/web`.
 */
export function repositoryName(address: string): string {
  const [, urlHost, urlPath] =
    /^[a-z][a-z\d+.-]*:\/\/(?:[^/@]*@)?([^/]*)(.*)$/i.exec(address) ?? [];
  if (urlHost !== undefined) return joined(urlHost.replace(/:\d+$/, ''), urlPath ?? '');
  const [, host, path] = /^(?:[^/@:]+@)?(\[[^\]]+\]|[^/:]{2,}):(.*)$/.exec(address) ?? [];
  return host === undefined ? joined('', address) : joined(host, path ?? '');
}

function joined(host: string, path: string): string {
  const clean = path.replace(/[/\\]+$/, '').replace(/\.git$/, '');
  return `${host.toLowerCase()}/${clean.replace(/^\/+/, '')}`;
}
