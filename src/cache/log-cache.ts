/** Complete logs on disk: reading one again takes no request. */
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { buildName, jobName, type BuildRef, type JobRef } from '../api/refs.ts';
import type { Job } from '../api/resources/job.ts';
import { draftCachedLog, readCachedLog, type CachedLog, type LogDraft } from './cached-log.ts';
import { evictOverSize } from './evict-over-size.ts';
import { readJobFacts, writeJobFacts } from './job-facts.ts';
import { accountFolder, fileName, logsFolder, type Account } from './paths.ts';

export interface LogCacheOptions extends Account {
  /** The folder of the whole cache. */
  readonly folder: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Bytes; default 256 MiB in all. */
  readonly max?: number;
}

export interface LogCache {
  readonly read: (ref: JobRef) => Promise<CachedLog | undefined>;
  readonly draft: (ref: JobRef) => Promise<LogDraft>;
  /** The jobs of a build when one of its logs was kept last. */
  readonly jobs: (ref: BuildRef) => Promise<Job[] | undefined>;
  readonly keepJobs: (ref: BuildRef, jobs: readonly Job[]) => Promise<void>;
  /**
   * Evicts what exceeds the limit: to be called after each log, with its bytes. Looks at what is there
   * only where what this process wrote since it last looked may have filled the room that was left.
   */
  readonly evict: (written?: number) => Promise<void>;
}

/** Bytes of the largest log that is kept. */
export const largestLog = 64 * 1024 * 1024;

export function logCache(options: LogCacheOptions): LogCache {
  const { folder, baseUrl, now, max = 256 * 1024 * 1024 } = options;
  const at = accountFolder(folder, options);
  const logPath = (ref: JobRef): string => join(at, fileName(baseUrl, 'log', jobName(ref)));
  const jobsPath = (ref: BuildRef): string => join(at, fileName(baseUrl, 'build', buildName(ref)));
  let room = 0;
  // What was evicted meanwhile is written again.
  let kept = new WeakSet<readonly Job[]>();
  return {
    read: (ref) => readCachedLog(logPath(ref), now()),
    draft: (ref) => draftCachedLog(logPath(ref)),
    jobs: (ref) => readJobFacts(jobsPath(ref)),
    keepJobs: async (ref, jobs) => {
      if (kept.has(jobs)) return;
      await writeJobFacts(jobsPath(ref), jobs);
      kept.add(jobs);
    },
    evict: async (written = Infinity) => {
      room -= written + overhead;
      if (room > 0) return;
      kept = new WeakSet();
      room = max - (await evictOverSize(logsFolder(folder), max, now()));
    },
  };
}

/** What is written beside a log. */
const overhead = 1024;

/** Removes a log that was deleted at the service, for all tokens. */
export async function dropLog(folder: string, baseUrl: string, ref: JobRef): Promise<void> {
  const logs = logsFolder(folder);
  const accounts = await readdir(logs).catch(() => []);
  const name = fileName(baseUrl, 'log', jobName(ref));
  for (const account of accounts) await rm(join(logs, account, name), { force: true });
}

/** Removes everything that was read with a token. */
export const dropAccount = (folder: string, account: Account): Promise<void> =>
  rm(accountFolder(folder, account), { recursive: true, force: true });
