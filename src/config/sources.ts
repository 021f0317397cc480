import { CictlError } from '../errors.ts';
import type { ProfileKey } from './profile-file.ts';
import { type Profile, type Profiles, noProfile } from './profiles.ts';
import type { Env } from '../common/env.ts';
import type { GlobalFlags } from './settings.ts';
import { checkAddress } from './addresses.ts';
import { checkFormat } from '../parse/output-format.ts';

type Key = ProfileKey;

/** `source` is for messages: `flag --org`, `CICTL_ORG`, `profile work`. */
export interface SourcedValue {
  readonly value: string;
  readonly source: string;
}

export interface Layer {
  readonly kind: 'flag' | 'environment' | 'git' | 'profile';
  get(key: Key): SourcedValue | undefined;
}

export interface Sources extends UsedProfile {
  readonly layers: readonly Layer[];
  readonly find: (key: Key) => SourcedValue | undefined;
}

interface UsedProfile {
  /** Undefined if no profile is selected, or if the selected one cannot be used */
  readonly profile?: string;
  readonly others: readonly OtherProfile[];
  readonly profileSource: string;
  /** Why the profile cannot be used */
  readonly error?: CictlError;
}

export interface OtherProfile {
  readonly name: string;
  readonly addresses: readonly string[];
}

const inEnvironment: Readonly<Record<Key, string>> = {
  baseUrl: 'CICTL_BASE_URL',
  agentUrl: 'CICTL_AGENT_URL',
  graphqlUrl: 'CICTL_GRAPHQL_URL',
  token: 'CICTL_TOKEN',
  agentToken: 'CICTL_AGENT_TOKEN',
  org: 'CICTL_ORG',
  pipeline: 'CICTL_PIPELINE',
  output: 'CICTL_OUTPUT',
};

const insideJob: Readonly<Partial<Record<Key, string>>> = {
  token: 'BUILDKITE_API_TOKEN',
  org: 'BUILDKITE_ORGANIZATION_SLUG',
  pipeline: 'BUILDKITE_PIPELINE_SLUG',
};

/** If `read` fails, its error is stored in `error`, and no profile is used. */
export function findSources(
  flags: GlobalFlags,
  env: Env,
  read: () => Profiles,
  git?: Layer,
): Sources {
  const { stored = {}, ...used } = chooseProfile(flags, env, read);
  const profile = profileLayer(used.profile ?? '', stored);
  const environment = [variables(env, inEnvironment)];
  if (env['BUILDKITE_BUILD_NUMBER']) environment.push(variables(env, insideJob));
  if (git !== undefined) environment.push(git);
  const named = flags.profile !== undefined;
  const below = named ? [profile, ...environment] : [...environment, profile];
  const layers = [flagLayer(flags), ...below];
  const find = (key: Key): SourcedValue | undefined => {
    for (const layer of layers) {
      const found = layer.get(key);
      if (found) return found;
    }
    return undefined;
  };
  return { ...used, layers, find };
}

function flagLayer(flags: GlobalFlags): Layer {
  const texts: Partial<Record<Key, SourcedValue | undefined>> = {
    baseUrl: flag('base-url', flags.baseUrl),
    agentUrl: flag('agent-url', flags.agentUrl),
    graphqlUrl: flag('graphql-url', flags.graphqlUrl),
    org: flag('org', flags.org),
    pipeline: flag('pipeline', flags.pipeline),
    output: flags.json === true ? flag('json', 'json') : flag('output', flags.output),
  };
  return { kind: 'flag', get: (key) => texts[key] };
}

const flag = (name: string, value: string | undefined): SourcedValue | undefined =>
  value === undefined ? undefined : { value, source: `flag --${name}` };

function variables(env: Env, names: Readonly<Partial<Record<Key, string>>>): Layer {
  return {
    kind: 'environment',
    get: (key) => {
      const name = names[key];
      const value = name === undefined ? undefined : env[name];
      return name !== undefined && value ? { value, source: name } : undefined;
    },
  };
}

function profileLayer(name: string, profile: Profile): Layer {
  return {
    kind: 'profile',
    get: (key) => {
      const value = profile[key];
      return value ? { value, source: `profile ${name}` } : undefined;
    },
  };
}

/** Returns errors instead of throwing them, so that commands that repair a profile still run. */
function chooseProfile(
  flags: GlobalFlags,
  env: Env,
  read: () => Profiles,
): UsedProfile & { readonly stored?: Profile } {
  try {
    const profiles = read();
    const { name, profileSource } = profileName(flags, env, profiles);
    const others = otherProfiles(name, profiles);
    if (name === undefined) return { profileSource, others };
    const stored = profiles.profiles.get(name);
    if (stored === undefined) return { profileSource, others, error: unusable(name, profiles) };
    checkProfile(stored, `profile ${name}`);
    return { profile: name, stored, profileSource, others };
  } catch (error) {
    if (!(error instanceof CictlError)) throw error;
    const { profileSource } = profileName(flags, env, { current: undefined });
    return { profileSource, others: [], error };
  }
}

/** The profile of the local service is created when the service first starts. */
const unusable = (name: string, profiles: Profiles): CictlError =>
  name === 'local'
    ? new CictlError(
        'unreachable',
        'profile local does not exist yet: the local service has not been started yet',
        { hint: 'cictl local up' },
      )
    : noProfile(name, profiles);

function profileName(flags: GlobalFlags, env: Env, { current }: Pick<Profiles, 'current'>) {
  const { CICTL_PROFILE: variable } = env;
  if (flags.profile !== undefined) return { name: flags.profile, profileSource: 'flag --profile' };
  if (variable) return { name: variable, profileSource: 'CICTL_PROFILE' };
  return { name: current, profileSource: current === undefined ? 'default' : 'profile use' };
}

const otherProfiles = (used: string | undefined, { profiles }: Profiles): OtherProfile[] =>
  [...profiles]
    .filter(([name]) => name !== used)
    .map(([name, { baseUrl = '', agentUrl = '', graphqlUrl = '' }]) => ({
      name,
      addresses: [baseUrl, agentUrl, graphqlUrl].filter((url) => URL.canParse(url)),
    }));

function checkProfile({ baseUrl, agentUrl, graphqlUrl, output }: Profile, source: string): void {
  for (const url of [baseUrl, agentUrl, graphqlUrl]) if (url) checkAddress(url, source);
  if (output) checkFormat(output, source);
}
