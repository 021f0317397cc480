/** Writes a log to the cache while it is read, once it can no longer change. */
import type { BuildRef, JobRef } from '../api/refs.ts';
import type { Job } from '../api/resources/job.ts';
import type { LogDraft } from './cached-log.ts';
import { largestLog, type LogCache } from './log-cache.ts';
import type { Context } from '../context.ts';
import type { Response } from '../http/transport.ts';
import { withTimeLimit } from '../time-limit.ts';

export interface CacheWriteOptions {
  readonly cache: LogCache;
  readonly context: Context;
  /** The jobs of its build, where they are known. */
  readonly jobs: readonly Job[] | undefined;
}

/** All of a log, of which something is there. */
export function isWhole({ status, headers }: Response): boolean {
  if (status === 200) return true;
  const [, last, size] = /^bytes 0-(\d+)\/(\d+)$/.exec(headers['content-range'] ?? '') ?? [];
  return status === 206 && Number(last) + 1 === Number(size);
}

/** The same response. Errors of the cache are not reported to the user. */
export function writeLogCache(ref: JobRef, response: Response, parts: CacheWriteOptions): Response {
  const { clock } = parts.context;
  const at = Math.min(clock.now(), serviceTime(response) ?? Infinity);
  // Of a compressed log this is less than what it unpacks to, which is counted as it comes.
  if (Number(response.headers['content-length']) > largestLog) return response;
  if (parts.jobs !== undefined && !isFinal(ref, parts.jobs, at)) return response;
  return { ...response, body: throughDraft(ref, response.body, at, parts) };
}

/**
 * Of a log that is larger, whether it may be kept is asked while it comes: most of what is read as it
 * grows is not, and to write tens of megabytes for nothing slows the reader down.
 */
const large = 1024 * 1024;

/** By the clock of the service, in milliseconds since the epoch. */
function serviceTime({ headers }: Response): number | undefined {
  const time = Date.parse(headers['date'] ?? '');
  return Number.isNaN(time) ? undefined : time;
}

/** An agent may still send the last lines for so long after the end of a job. */
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
        const taken = add(draft, chunk, context);
        // Most pieces are taken at once, and each wait would cost as much as all else about them.
        if (taken === false || (taken !== true && !(await taken))) discard();
        else if (size > large) asked ??= askEarly();
      }
      yield chunk;
    }
    if (draft === undefined || size === 0) return;
    const jobs = await (asked ?? ask());
    const done = draft as LogDraft | undefined;
    if (done === undefined || jobs === undefined || !isFinal(ref, jobs, at)) return;
    const kept = await attempt(async () => (await done.keep(), true), context);
    if (kept !== true) return;
    draft = undefined;
    await attempt(() => cache.keepJobs(ref, jobs), context);
    await attempt(() => cache.evict(size), context);
  } finally {
    discard();
    await dropped;
  }
}

/** Whether it was taken. */
function add(
  draft: LogDraft,
  chunk: Uint8Array,
  context: Context,
): boolean | Promise<boolean | undefined> {
  try {
    const wait = draft.add(chunk);
    return wait === undefined || attempt(async () => (await wait, true), context);
  } catch (error) {
    reportUnusable(error, context);
    return false;
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
  messages.debug(`the cache cannot be used: ${String(error)}`);

/** Milliseconds; the log is printed by then, and the cache only helps the next time. */
const longestWait = 3000;

/** Whether a job that was named by its id has ended is not known yet. */
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
  const reason = new Error('no answer in time');
  return attempt(() => withTimeLimit(ask, { ms: longestWait, clock, reason }), context);
}
