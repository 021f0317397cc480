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
  /** Evicts what exceeds the limit: to be called after writing. */
  readonly evict: () => Promise<void>;
}

/** Bytes of the largest log that is kept. */
export const largestLog = 64 * 1024 * 1024;

export function logCache(options: LogCacheOptions): LogCache {
  const { folder, baseUrl, now, max = 256 * 1024 * 1024 } = options;
  const at = accountFolder(folder, options);
  const logPath = (ref: JobRef): string => join(at, fileName(baseUrl, 'log', jobName(ref)));
  const jobsPath = (ref: BuildRef): string => join(at, fileName(baseUrl, 'build', buildName(ref)));
  return {
    read: (ref) => readCachedLog(logPath(ref), now()),
    draft: (ref) => draftCachedLog(logPath(ref)),
    jobs: (ref) => readJobFacts(jobsPath(ref)),
    keepJobs: (ref, jobs) => writeJobFacts(jobsPath(ref), jobs),
    evict: () => evictOverSize(logsFolder(folder), max, now()),
  };
}

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
