/** Where a plugin comes from, by the ways in which a pipeline file may name it. */

type Source = RepositorySource | GitSource;

/** Part of the repository of the job: nothing is fetched. */
interface RepositorySource {
  readonly kind: 'repository';
  /** `./.buildkite/plugins/x`, from the checkout. */
  readonly path: string;
}

export interface GitSource {
  readonly kind: 'git';
  /** What git clones: an address, or the absolute path of a repository. */
  readonly address: string;
  /** Folder in the repository with the plugin, `''` for all of it. */
  readonly subfolder: string;
  /** Tag, branch or commit; null: whatever the default branch has. */
  readonly version: string | null;
}

/** `docker#v5.12.0`, `org/name#v1`, an address or a path; what stands behind `#` is the version. */
export function readSource(text: string): Source {
  // Also without `./`: agents look at the first character alone.
  if (text.startsWith('.')) return { kind: 'repository', path: text };
  const mark = text.indexOf('#');
  const location = mark < 0 ? text : text.slice(0, mark);
  const version = mark < 0 ? '' : text.slice(mark + 1);
  return { kind: 'git', ...splitLocation(location), version: version === '' ? null : version };
}

/** The repository with the plugin and the place in it, as the public agent finds them. */
function splitLocation(location: string): Pick<GitSource, 'address' | 'subfolder'> {
  if (isAddress(location)) return splitAtRepository(location);
  const parts = location.split('/');
  const [first = '', second = ''] = parts;
  if (parts.length === 1) return whole(`buildkite-plugins/${withSuffix(first)}`);
  if (parts.length === 2 && !first.includes('.')) return whole(`${first}/${withSuffix(second)}`);
  if (!forges.has(first)) return splitAtRepository(`https://${location}`);
  return {
    address: `https://${parts.slice(0, 3).join('/')}`,
    subfolder: parts.slice(3).join('/'),
  };
}

/** There the repository is the second folder, with or without `.git`. */
const forges = new Set(['github.com', 'gitlab.com', 'bitbucket.org']);

/** With a scheme, `user@host:path`, or a path. */
const isAddress = (location: string): boolean =>
  /^([a-z][a-z0-9+.-]*:\/\/|\/|[^/\s]+:)/i.test(location);

/** What follows the first folder that is named `….git` is the place in it. */
function splitAtRepository(location: string): Pick<GitSource, 'address' | 'subfolder'> {
  const [, address = location, subfolder = ''] = /^(.*?[^/:]\.git)\/(.*)$/.exec(location) ?? [];
  return { address, subfolder };
}

const whole = (repository: string) => ({
  address: `https://github.com/${repository}`,
  subfolder: '',
});

const withSuffix = (name: string): string =>
  name.endsWith('-buildkite-plugin') ? name : `${name}-buildkite-plugin`;

/**
 * The name of a plugin by its source, as the public agent makes it: `docker` of `docker#v5.12.0` and of
 * `https://github.com/org/docker-buildkite-plugin.git#main`.
 */
export function pluginName(source: string): string {
  const last = locationOf(source).replace(/\/+$/, '').split('/').at(-1) ?? '';
  return last
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/[^a-z0-9]/g, '-')
    .replaceAll('-buildkite-plugin-git', '')
    .replaceAll('-buildkite-plugin', '');
}

function locationOf(text: string): string {
  const source = readSource(text);
  if (source.kind === 'repository') return source.path;
  return source.subfolder === '' ? source.address : source.subfolder;
}
