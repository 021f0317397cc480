/** The profile that a command about profiles means when it is given no name. */
import { readProfiles, requireProfile, type Profile } from '../../config/profiles.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';

/** `--profile`, `CICTL_PROFILE`, else the current one. Code 2 when there is none. */
export function profileInUse({ env, settings }: Pick<Context, 'env' | 'settings'>): {
  name: string;
  profile: Profile;
} {
  const profiles = readProfiles(env);
  const name = settings.namedProfile ?? profiles.current;
  if (name !== undefined) return { name, profile: requireProfile(profiles, name) };
  throw usageError('no profile is the current one', 'cictl auth login, or cictl profile use NAME');
}
