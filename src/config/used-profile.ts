import { CictlError } from '../errors.ts';
import { checkAddress } from './addresses.ts';
import { noProfile, type Profile, type Profiles } from './profiles.ts';
import type { Env } from '../env.ts';
import { checkFormat } from '../parse/output-format.ts';
import type { GlobalFlags } from './global-flags.ts';

export interface OtherProfile {
  readonly name: string;
  readonly addresses: readonly string[];
}

export interface UsedProfile {
  readonly name?: string;
  /** Only a profile that is there and sound. */
  readonly profile?: Profile;
  readonly others: readonly OtherProfile[];
  /** Where its name comes from. */
  readonly source: string;
  /** Why the named one cannot be used. */
  readonly error?: CictlError;
}

/**
 * `--profile`, then `CICTL_PROFILE`, then the one that `profile use` has made current. Nothing is
 * thrown for a file or a profile that is damaged: the commands that repair it have to run.
 */
export function chooseProfile(flags: GlobalFlags, env: Env, read: () => Profiles): UsedProfile {
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

/** The profile of the built-in service comes with its first start. */
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

/** Invalid addresses are left out: only the profile in use must be valid. */
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
