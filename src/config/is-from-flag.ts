import type { Settings } from './settings.ts';

/** Whether a setting was given on this command line: no profile or variable gave it. */
export const isFromFlag = ({ sources }: Pick<Settings, 'sources'>, key: string): boolean =>
  sources[key]?.startsWith('flag ') ?? false;

/** Whether the current profile gave it: that of `profile use` or `CICTL_PROFILE`, not of `--profile`. */
export const isFromCurrentProfile = (
  { sources, profile }: Pick<Settings, 'sources' | 'profile'>,
  key: string,
): boolean => sources['profile'] !== 'flag --profile' && sources[key] === `profile ${profile}`;
