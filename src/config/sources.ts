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

export interface Sources {
  readonly layers: readonly Layer[];
  readonly profile: string | undefined;
  readonly others: readonly OtherProfile[];
  readonly profileSource: string;
  readonly error: CictlError | undefined;
  readonly find: (key: Key) => SourcedValue | undefined;
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
  const used = chooseProfile(flags, env, read);
  const profile = profileLayer(used.name ?? '', used.profile ?? {});
  const environment = [environmentLayer(env)];
  if (env['BUILDKITE_BUILD_NUMBER']) environment.push(variables(env, insideJob));
  if (git !== undefined) environment.push(git);
  const named = flags.profile !== undefined;
  const below = named ? [profile, ...environment] : [...environment, profile];
  const layers = [flagLayer(flags), ...below];
  return {
    layers,
    profile: used.name,
    others: used.others,
    profileSource: used.source,
    error: used.error,
    find: (key) => firstOf(layers, key),
  };
}

const firstOf = (layers: readonly Layer[], key: Key): SourcedValue | undefined => {
  for (const layer of layers) {
    const found = layer.get(key);
    if (found) return found;
  }
  return undefined;
};

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

const environmentLayer = (env: Env): Layer => variables(env, inEnvironment);

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

export interface OtherProfile {
  readonly name: string;
  readonly addresses: readonly string[];
}

interface UsedProfile {
  readonly name?: string;
  readonly profile?: Profile;
  readonly others: readonly OtherProfile[];
  readonly source: string;
  readonly error?: CictlError;
}

/**
 * `--profile`, then `CICTL_PROFILE`, then the current profile. A malformed file or profile is not
 * thrown, because the commands that repair it have to run.
 */
function chooseProfile(flags: GlobalFlags, env: Env, read: () => Profiles): UsedProfile {
  try {
    const profiles = read();
    const { name, source } = profileName(flags, env, profiles);
    const others = otherProfiles(name, profiles);
    if (name === undefined) return { source, others };
    const profile = profiles.profiles.get(name);
    if (profile === undefined) return { source, others, error: unusable(name, profiles) };
    checkProfile(profile, `profile ${name}`);
    return { name, profile, source, others };
  } catch (error) {
    if (!(error instanceof CictlError)) throw error;
    const { source } = profileName(flags, env, { current: undefined });
    return { source, others: [], error: error };
  }
}

/** The first start of the built-in service creates its profile. */
const unusable = (name: string, profiles: Profiles): CictlError =>
  name === 'local'
    ? new CictlError(
        'unreachable',
        'the built-in service has not been started, so there is no profile local',
        {
          hint: 'cictl local up',
        },
      )
    : noProfile(name, profiles);

function profileName(flags: GlobalFlags, env: Env, { current }: Pick<Profiles, 'current'>) {
  if (flags.profile !== undefined) return { name: flags.profile, source: 'flag --profile' };
  if (env['CICTL_PROFILE']) return { name: env['CICTL_PROFILE'], source: 'CICTL_PROFILE' };
  return { name: current, source: current === undefined ? 'default' : 'profile use' };
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
