import type { JobRef } from '../api/refs.ts';
import type { Job } from '../api/resources/job.ts';
import { cacheDir } from '../config/folders.ts';
import { requireToken } from '../config/settings.ts';
import type { Context } from '../context.ts';
import { logCache } from './log-cache.ts';

/** What is known of a job that has ended, and so changes no more; not where `--no-cache` is given. */
export async function cachedJob(ref: JobRef, context: Context): Promise<Job | undefined> {
  const { settings, env, clock } = context;
  if (!settings.cache) return undefined;
  const account = { baseUrl: settings.baseUrl, token: requireToken(settings) };
  const cache = logCache({ folder: cacheDir(env), ...account, now: () => clock.now() });
  const jobs = await cache.jobs(ref);
  return jobs?.find(({ id, finished_at: end }) => id === ref.job && typeof end === 'string');
}
