/** Types of plugins, and functions that read the names and sources of plugins in pipeline files. */
import type { PluginUse } from '../pipeline/plan.ts';
import type { PluginAction, PluginPolicy } from '../run-options.ts';

export interface PluginRequest {
  readonly uses: readonly PluginUse[];
  readonly policy: PluginPolicy;
  readonly from: string | null;
  /** Directory for fetched plugins. Each version has a subdirectory. */
  readonly cache: string;
  /** The job's checkout; omitted until it exists. */
  readonly checkout?: string;
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly log: (line: string) => Promise<void>;
}

export interface ReadyPlugin {
  readonly name: string;
  /** Directory of the plugin; relative to the job's checkout if the plugin is in it. */
  readonly folder: string;
  readonly isOfRepository: boolean;
  /** The configuration as variables, such as `BUILDKITE_PLUGIN_DOCKER_IMAGE`. */
  readonly env: Readonly<Record<string, string>>;
}

/** Thrown if a plugin is unavailable. The job fails with git's exit status, as on public agents. */
export class PluginError extends Error {
  override readonly name = 'PluginError';
  readonly exitStatus: number;
  constructor(message: string, exitStatus: number, options?: ErrorOptions) {
    super(message, options);
    this.exitStatus = exitStatus;
  }
}

export function pluginAction(policy: PluginPolicy, { source }: PluginUse): PluginAction {
  const name = pluginName(source);
  const [, action] =
    Object.entries(policy.named).find(([key]) => key.toLowerCase() === name) ??
    Object.entries(policy.named).find(([key]) => namesPlugin(key, name)) ??
    [];
  return action ?? policy.default;
}

export const namesPlugin = (key: string, name: string): boolean =>
  key.toLowerCase() === name || pluginName(key) === name;

/** A plugin in the job's repository. It is not fetched. */
interface RepositorySource {
  readonly kind: 'repository';
  /** `./.buildkite/plugins/x`, relative to the checkout. */
  readonly path: string;
}

export interface GitSource {
  readonly kind: 'git';
  /** A URL for `git clone`, or the absolute path of a repository. */
  readonly address: string;
  /** Directory of the plugin in the repository; empty for its root. */
  readonly subfolder: string;
  /** Tag, branch or commit; null for the default branch. */
  readonly version: string | null;
}

/** Parses `docker#v5.12.0`, `org/name#v1`, a URL or a path; the version follows `#`. */
export function readSource(text: string): RepositorySource | GitSource {
  // A relative path without `./` is accepted too, because agents only check the first character.
  if (text.startsWith('.')) return { kind: 'repository', path: text };
  const mark = text.indexOf('#');
  const location = mark < 0 ? text : text.slice(0, mark);
  const version = mark < 0 ? '' : text.slice(mark + 1);
  return { kind: 'git', ...splitLocation(location), version: version === '' ? null : version };
}

/** Determines the repository in the same way as the public agent. */
function splitLocation(location: string): Pick<GitSource, 'address' | 'subfolder'> {
  const isUrlOrPath = /^([a-z][a-z0-9+.-]*:\/\/|\/|[^/\s]+:)/i.test(location);
  if (isUrlOrPath) return splitAtRepository(location);
  const parts = location.split('/');
  const [first = '', second = ''] = parts;
  if (parts.length === 1) return onGitHub(`buildkite-plugins/${withSuffix(first)}`);
  if (parts.length === 2 && !first.includes('.')) return onGitHub(`${first}/${withSuffix(second)}`);
  if (!forges.has(first)) return splitAtRepository(`https://${location}`);
  const subfolder = parts.slice(3).join('/');
  return { address: `https://${parts.slice(0, 3).join('/')}`, subfolder };
}

/** Hosts whose URLs have the form HOST/OWNER/REPOSITORY, with or without `.git`. */
const forges = new Set(['github.com', 'gitlab.com', 'bitbucket.org']);

/** The repository's URL ends at the first path segment that ends in `.git`. */
function splitAtRepository(location: string): Pick<GitSource, 'address' | 'subfolder'> {
  const [, address = location, subfolder = ''] = /^(.*?[^/:]\.git)\/(.*)$/.exec(location) ?? [];
  return { address, subfolder };
}

const onGitHub = (repository: string) => ({
  address: `https://github.com/${repository}`,
  subfolder: '',
});

const withSuffix = (name: string): string =>
  name.endsWith('-buildkite-plugin') ? name : `${name}-buildkite-plugin`;

/**
 * Names plugins like the public agent: `docker` for `https://x.org/docker-buildkite-plugin.git`.
 */
export function pluginName(text: string): string {
  const source = readSource(text);
  const location = source.kind === 'repository' ? source.path : source.subfolder || source.address;
  const last = location.replace(/\/+$/, '').split('/').at(-1) ?? '';
  return last
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/[^a-z0-9]/g, '-')
    .replaceAll('-buildkite-plugin-git', '')
    .replaceAll('-buildkite-plugin', '');
}
