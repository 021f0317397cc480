import type { Settings } from './settings.ts';

/** The command that gives a profile a token again; without a name, the current one. */
export function loginCommand(profile: string | undefined): string {
  if (profile === undefined) return 'cictl auth login';
  return profile === 'local' ? 'cictl local up' : `cictl auth login --profile ${profile}`;
}

/**
 * What the user may do when the service refuses the access token. A login does not help where the
 * token comes from the environment, which wins.
 */
export function loginHint({ profile = '', sources }: Settings): string {
  const { token = 'CICTL_TOKEN' } = sources;
  if (token !== `profile ${profile}`) return `set ${token} to another token`;
  const isCurrent = sources['profile'] === 'profile use';
  return loginCommand(isCurrent && profile !== 'local' ? undefined : profile);
}
