import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from './settings.ts';
import type { Env } from '../common/env.ts';
import { dataDir } from './folders.ts';

export const isFromFlag = ({ sources }: Pick<Settings, 'sources'>, key: string): boolean =>
  sources[key]?.startsWith('flag ') ?? false;

/** Whether a setting comes from the profile set by `profile use` or `CICTL_PROFILE`. */
export const isFromCurrentProfile = (
  { sources, profile }: Pick<Settings, 'sources' | 'profile'>,
  key: string,
): boolean => sources['profile'] !== 'flag --profile' && sources[key] === `profile ${profile}`;

export const isBuiltInProfile = ({ baseUrl, sources }: Settings): boolean =>
  sources['baseUrl'] === 'profile local' && new URL(baseUrl).hostname === '127.0.0.1';

/** Like `isBuiltInProfile`, but accepts the URL of the running service from any source. */
export const isBuiltInAddress = (settings: Settings, env: Env): boolean =>
  isBuiltInProfile(settings) || new URL(settings.baseUrl).origin === runningAt(env);

function runningAt(env: Env): string | undefined {
  try {
    // This file is written by `service/state.ts`.
    const state: unknown = JSON.parse(readFileSync(join(dataDir(env), 'service.json'), 'utf8'));
    const { url } = state as { readonly url?: unknown };
    return typeof url === 'string' ? new URL(url).origin : undefined;
  } catch {
    return undefined;
  }
}

export function loginCommand(profile: string | undefined): string {
  if (profile === undefined) return 'cictl auth login';
  return profile === 'local' ? 'cictl local up' : `cictl auth login --profile ${profile}`;
}

/** A hint for a rejected token. Logging in does not replace a token from the environment. */
export function loginHint({ profile = '', sources }: Settings): string {
  const { token = 'CICTL_TOKEN' } = sources;
  if (token !== `profile ${profile}`) return `set ${token} to a valid token`;
  const isCurrent = sources['profile'] === 'profile use';
  return loginCommand(isCurrent && profile !== 'local' ? undefined : profile);
}
