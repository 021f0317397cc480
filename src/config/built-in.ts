import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Env } from '../env.ts';
import { dataDir } from './folders.ts';
import type { Settings } from './settings.ts';

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
