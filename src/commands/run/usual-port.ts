import { readProfiles } from '../../config/profiles.ts';
import type { Context } from '../../context.ts';

/**
 * The port where profile `local` looks for the built-in service, so that other commands see a run
 * whose service lives in its own process; undefined where there is none.
 */
export function usualPort({ env }: Pick<Context, 'env'>): number | undefined {
  try {
    const url = new URL(readProfiles(env).profiles.get('local')?.baseUrl ?? '');
    return url.hostname === '127.0.0.1' && url.port !== '' ? Number(url.port) : undefined;
  } catch {
    // A damaged file of profiles keeps nobody from running a pipeline.
    return undefined;
  }
}
