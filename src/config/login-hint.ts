import type { Settings } from './settings.ts';

/**
 * What the user may do when the service refuses the access token. A login does not help where the
 * token comes from the environment, which wins.
 */
export function loginHint({ profile = '', sources }: Settings): string {
  const { token = 'CICTL_TOKEN' } = sources;
  if (token !== `profile ${profile}`) return `set ${token} to another token`;
  if (profile === 'local') return 'cictl local up';
  return sources['profile'] === 'profile use'
    ? 'cictl auth login'
    : `cictl auth login --profile ${profile}`;
}
