/** A context whose client reads complete logs from the cache. */
import type { Client } from '../api/client.ts';
import { buildName, type JobRef } from '../api/refs.ts';
import type { Job } from '../api/resources/job.ts';
import type { LogTextOptions } from '../api/jobs.ts';
import { logCache, type LogCache } from './log-cache.ts';
import type { CachedLog } from './cached-log.ts';
import { cacheDir } from '../config/folders.ts';
import { requireToken } from '../config/settings.ts';
import type { Context } from '../context.ts';
import { mediaType } from '../http/headers.ts';
import { isServiceError } from '../errors.ts';
import type { Response } from '../http/transport.ts';
import { isWhole, writeLogCache } from './write-log-cache.ts';

export interface CacheUse {
  /** Where the service is unreachable, jobs are looked up in the cache. */
  readonly offline: boolean;
}

/** The same context where `--no-cache` is given. */
export function withLogCache(context: Context, { offline }: CacheUse): Context {
  const { settings, env, clock } = context;
  if (!settings.cache) return context;
  let client: Promise<Client> | undefined;
  const open = async (): Promise<Client> => {
    const token = requireToken(settings);
    const { baseUrl } = settings;
    const cache = logCache({ folder: cacheDir(env), baseUrl, token, now: () => clock.now() });
    return withCache(await context.client(), cache, offline, context);
  };
  // Lazy members of the context stay lazy.
  return Object.create(context, { client: { value: () => (client ??= open()) } }) as Context;
}

function withCache(client: Client, cache: LogCache, offline: boolean, context: Context): Client {
  let isReported = false;
  const seen = new Map<string, readonly Job[]>();
  const get: Client['builds']['get'] = async (ref, options) => {
    try {
      const build = await client.builds.get(ref, options);
      seen.set(buildName(ref), build.jobs ?? []);
      return build;
    } catch (error) {
      const jobs = offline && isServiceError(error) ? await cache.jobs(ref) : undefined;
      if (jobs === undefined) throw error;
      if (!isReported)
        context.messages.note('the service cannot be reached: this is from the cache');
      isReported = true;
      const retried = options?.includeRetriedJobs === true;
      return { number: ref.number, jobs: jobs.filter((job) => retried || job.retried !== true) };
    }
  };
  const logText = async (ref: JobRef, options: LogTextOptions = {}): Promise<Response> => {
    if (options.html === true) return client.jobs.logText(ref, options);
    const log = await cache.read(ref).catch(() => undefined);
    if (log !== undefined) return responseFor(log, options.range);
    const response = await client.jobs.logText(ref, options);
    if (!isWhole(response) || mediaType(response.headers) !== 'text/plain') return response;
    return writeLogCache(ref, response, { cache, context, jobs: seen.get(buildName(ref)) });
  };
  return { ...client, builds: { ...client.builds, get }, jobs: { ...client.jobs, logText } };
}

/** The response of a service that supports suffix ranges. */
function responseFor({ size, body }: CachedLog, range: string | undefined): Response {
  const suffix = /^bytes=-(\d+)$/.exec(range ?? '')?.[1];
  if (suffix === undefined) return { status: 200, headers: {}, body: body(0) };
  const start = Math.max(0, size - Number(suffix));
  const headers = { 'content-range': `bytes ${start}-${size - 1}/${size}` };
  return { status: 206, headers, body: body(start) };
}
