import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from './settings.ts';
import type { Env } from '../common/env.ts';
import { dataDir } from './folders.ts';

/** Whether a setting was given on this command line: no profile or variable gave it. */
export const isFromFlag = ({ sources }: Pick<Settings, 'sources'>, key: string): boolean =>
  sources[key]?.startsWith('flag ') ?? false;

/** Whether the current profile gave it: that of `profile use` or `CICTL_PROFILE`, not of `--profile`. */
export const isFromCurrentProfile = (
  { sources, profile }: Pick<Settings, 'sources' | 'profile'>,
  key: string,
): boolean => sources['profile'] !== 'flag --profile' && sources[key] === `profile ${profile}`;

/** Whether the profile is that of the built-in service, and its address was not changed. */
export const isBuiltInProfile = ({ baseUrl, sources }: Settings): boolean =>
  sources['baseUrl'] === 'profile local' && new URL(baseUrl).hostname === '127.0.0.1';

/**
 * The same, or the address is where the service of this data folder runs at the moment, whoever gave
 * it: a variable, as in its jobs, or another profile.
 */
export const isBuiltInAddress = (settings: Settings, env: Env): boolean =>
  isBuiltInProfile(settings) || new URL(settings.baseUrl).origin === runningAt(env);

function runningAt(env: Env): string | undefined {
  try {
    // What `service/state.ts` writes.
    const state: unknown = JSON.parse(readFileSync(join(dataDir(env), 'service.json'), 'utf8'));
    const { url } = state as { readonly url?: unknown };
    return typeof url === 'string' ? new URL(url).origin : undefined;
  } catch {
    return undefined;
  }
}

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
