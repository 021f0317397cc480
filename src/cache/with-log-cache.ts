import type { Client } from '../api/client.ts';
import { buildName, type JobRef, type BuildRef } from '../api/refs.ts';
import type { Job } from '../api/resources/job.ts';
import type { LogTextOptions } from '../api/jobs.ts';
import { logCache, type LogCache, largestLog } from './log-cache.ts';
import type { CachedLog, LogDraft } from './cached-log.ts';
import { cacheDir } from '../config/folders.ts';
import { requireToken } from '../config/settings.ts';
import type { Context } from '../context.ts';
import { mediaType } from '../http/headers.ts';
import { isServiceError } from '../errors.ts';
import type { Response } from '../http/transport.ts';
import { withTimeLimit } from '../common/clock.ts';

/**
 * Lets the client read logs from the cache, except under `--no-cache`. With `offline`, it also
 * reads jobs from the cache if the service fails.
 */
export function withLogCache(context: Context, { offline }: { offline: boolean }): Context {
  if (!context.settings.cache) return context;
  let client: Promise<Client> | undefined;
  const open = async (): Promise<Client> => {
    const cache = openLogCache(context);
    return withCache(await context.client(), cache, offline, context);
  };
  // `Object.create` does not evaluate the lazy properties of the context.
  return Object.create(context, { client: { value: () => (client ??= open()) } }) as Context;
}

function openLogCache({ settings, env, clock }: Context): LogCache {
  const { baseUrl } = settings;
  const token = requireToken(settings);
  return logCache({ folder: cacheDir(env), baseUrl, token, now: () => clock.now() });
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
      if (!isReported) context.messages.note('the service is unreachable; using the cache');
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

function responseFor({ size, body }: CachedLog, range: string | undefined): Response {
  const suffix = /^bytes=-(\d+)$/.exec(range ?? '')?.[1];
  if (suffix === undefined) return { status: 200, headers: {}, body: body(0) };
  const start = Math.max(0, size - Number(suffix));
  const headers = { 'content-range': `bytes ${start}-${size - 1}/${size}` };
  return { status: 206, headers, body: body(start) };
}

/** Returns the job if it is cached and has finished. Always undefined under `--no-cache`. */
export async function cachedJob(ref: JobRef, context: Context): Promise<Job | undefined> {
  if (!context.settings.cache) return undefined;
  const jobs = await openLogCache(context).jobs(ref);
  return jobs?.find(({ id, finished_at: end }) => id === ref.job && typeof end === 'string');
}

interface CacheWriteOptions {
  readonly cache: LogCache;
  readonly context: Context;
  readonly jobs: readonly Job[] | undefined;
}

function isWhole({ status, headers }: Response): boolean {
  if (status === 200) return true;
  const [, last, size] = /^bytes 0-(\d+)\/(\d+)$/.exec(headers['content-range'] ?? '') ?? [];
  return status === 206 && Number(last) + 1 === Number(size);
}

/** Caches a log while it is being read, if it can no longer change. `--debug` shows errors. */
function writeLogCache(ref: JobRef, response: Response, parts: CacheWriteOptions): Response {
  const { clock } = parts.context;
  const at = Math.min(clock.now(), serviceTime(response) ?? Infinity);
  // A compressed log may still turn out too large, so the bytes are also counted while reading.
  if (Number(response.headers['content-length']) > largestLog) return response;
  if (parts.jobs !== undefined && !isFinal(ref, parts.jobs, at)) return response;
  return { ...response, body: throughDraft(ref, response.body, at, parts) };
}

/** In bytes. For larger logs, checks during the download whether the job is still running. */
const large = 1024 * 1024;

function serviceTime({ headers }: Response): number | undefined {
  const time = Date.parse(headers['date'] ?? '');
  return Number.isNaN(time) ? undefined : time;
}

/** After a job has finished, its agent may still send lines for this long. */
const minute = 60_000;

function isFinal({ job: id }: JobRef, jobs: readonly Job[], at: number): boolean {
  const job = jobs.find((job) => job.id === id);
  return Date.parse(job?.finished_at ?? '') + minute <= at;
}

async function* throughDraft(
  ref: JobRef,
  body: Response['body'],
  at: number,
  parts: CacheWriteOptions,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { cache, context } = parts;
  let size = 0;
  let draft: LogDraft | undefined = await attempt(() => cache.draft(ref), context);
  let dropped: Promise<void> | undefined;
  let asked: Promise<readonly Job[] | undefined> | undefined;
  const isUnneeded = new AbortController();
  const discard = (): void => {
    const discarded = draft;
    draft = undefined;
    isUnneeded.abort();
    if (discarded !== undefined) dropped = attempt(() => discarded.drop(), context);
  };
  const ask = (): Promise<readonly Job[] | undefined> =>
    parts.jobs === undefined
      ? askForJobs(ref, isUnneeded.signal, context)
      : Promise.resolve(parts.jobs);
  const askEarly = async (): Promise<readonly Job[] | undefined> => {
    const jobs = await ask();
    if (jobs === undefined || !isFinal(ref, jobs, at)) discard();
    return jobs;
  };
  try {
    for await (const chunk of body) {
      size += chunk.length;
      if (size > largestLog) discard();
      else if (draft !== undefined) {
        try {
          // Most calls return no promise; awaiting every result would double the cost.
          const wait = draft.add(chunk);
          if (wait !== undefined) await wait;
          if (size > large) asked ??= askEarly();
        } catch (error) {
          reportUnusable(error, context);
          discard();
        }
      }
      yield chunk;
    }
    if (draft === undefined || size === 0) return;
    const jobs = await (asked ?? ask());
    const done = draft as LogDraft | undefined;
    if (done === undefined || jobs === undefined || !isFinal(ref, jobs, at)) return;
    await attempt(async () => {
      await done.keep();
      draft = undefined;
      await cache.keepJobs(ref, jobs);
      await cache.evict(size);
    }, context);
  } finally {
    discard();
    await dropped;
  }
}

async function attempt<T>(work: () => Promise<T>, context: Context): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    reportUnusable(error, context);
    return undefined;
  }
}

const reportUnusable = (error: unknown, { messages }: Context): void =>
  messages.debug(`cannot use the cache: ${String(error)}`);

/** Milliseconds. Short, because the log is already printed and the cache only helps later runs. */
const longestWait = 3000;

async function askForJobs(
  ref: BuildRef,
  isUnneeded: AbortSignal,
  context: Context,
): Promise<readonly Job[] | undefined> {
  const { settings, clock, signal } = context;
  const { baseUrl: url, token } = settings;
  const ask = async (limit: AbortSignal): Promise<readonly Job[] | undefined> => {
    const { builds } = await context.connect(
      { url, ...(token !== undefined && { token }) },
      AbortSignal.any([signal, limit, isUnneeded]),
    );
    return (await builds.get(ref, { includeRetriedJobs: true })).jobs ?? undefined;
  };
  const reason = new Error('timed out');
  return attempt(() => withTimeLimit(ask, { ms: longestWait, clock, reason }), context);
}
