import { readdir, rm, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { buildName, jobName, type BuildRef, type JobRef } from '../api/refs.ts';
import type { Job } from '../api/resources/job.ts';
import { draftCachedLog, readCachedLog } from './cached-log.ts';
import { accountFolder, fileName, logsFolder, type Account, writeCacheFile } from './files.ts';
import { draftSuffix } from '../common/write-files.ts';
import { cacheDir } from '../config/folders.ts';
import type { Context } from '../context.ts';
import { CictlError } from '../errors.ts';

export interface LogCacheOptions extends Account {
  readonly folder: string;
  readonly now: () => number;
  readonly max?: number;
}

export type LogCache = ReturnType<typeof logCache>;

export const largestLog = 64 * 1024 * 1024;

export function logCache(options: LogCacheOptions) {
  const { folder, baseUrl, now, max = 256 * 1024 * 1024 } = options;
  const at = accountFolder(folder, options);
  const logPath = (ref: JobRef): string => join(at, fileName(baseUrl, 'log', jobName(ref)));
  const jobsPath = (ref: BuildRef): string => join(at, fileName(baseUrl, 'build', buildName(ref)));
  let room = 0;
  // Job lists that are already in the cache. Cleared on eviction, which may remove their files.
  let kept = new WeakSet<readonly Job[]>();
  return {
    read: (ref: JobRef) => readCachedLog(logPath(ref), now()),
    draft: (ref: JobRef) => draftCachedLog(logPath(ref)),
    jobs: (ref: BuildRef) => readJobFacts(jobsPath(ref)),
    keepJobs: async (ref: BuildRef, jobs: readonly Job[]) => {
      if (kept.has(jobs)) return;
      await writeJobFacts(jobsPath(ref), jobs);
      kept.add(jobs);
    },
    /** Call this after writing `written` bytes. Reads the directory only if space may be low. */
    evict: async (written = Infinity) => {
      room -= written + overhead;
      if (room > 0) return;
      kept = new WeakSet();
      room = max - (await evictOverSize(logsFolder(folder), max, now()));
    },
  };
}

/** Estimated bytes of the build file that is written with a log. */
const overhead = 1024;

export async function dropLog(folder: string, baseUrl: string, ref: JobRef): Promise<void> {
  const logs = logsFolder(folder);
  const accounts = await readdir(logs).catch(() => []);
  const name = fileName(baseUrl, 'log', jobName(ref));
  for (const account of accounts) await rm(join(logs, account, name), { force: true });
}

export const dropAccount = (folder: string, account: Account): Promise<void> =>
  rm(accountFolder(folder, account), { recursive: true, force: true });

// The cached part of a build: enough to find a job by name and to report how it ended.

const members = [
  ...(['id', 'type', 'name', 'label', 'step_key', 'state', 'soft_failed'] as const),
  ...(['started_at', 'finished_at', 'exit_status', 'web_url', 'retried'] as const),
] as const satisfies readonly (keyof Job)[];

async function writeJobFacts(path: string, jobs: readonly Job[]): Promise<void> {
  const facts = jobs.map((job) => Object.fromEntries(members.map((name) => [name, job[name]])));
  await writeCacheFile(path, JSON.stringify({ jobs: facts }));
}

async function readJobFacts(path: string): Promise<Job[] | undefined> {
  try {
    const { jobs } = JSON.parse(await readFile(path, 'utf8')) as { jobs: Job[] };
    return jobs.every((job) => typeof job.id === 'string') ? jobs : undefined;
  } catch {
    return undefined;
  }
}

interface CachedFile {
  readonly path: string;
  readonly size: number;
  readonly used: number;
}

/** A draft that has not been written to for this many milliseconds is considered abandoned. */
const longestWriting = 60 * 60_000;

/** Removes the least recently used files until the rest has at most `max` bytes. Returns the new total. */
async function evictOverSize(folder: string, max: number, now: number): Promise<number> {
  const files = await listCachedFiles(folder);
  const isStale = ({ path, used }: CachedFile): boolean =>
    path.endsWith(draftSuffix) && used < now - longestWriting;
  for (const { path } of files.filter(isStale)) await rm(path, { force: true });
  const kept = files.filter(({ path }) => !path.endsWith(draftSuffix));
  let total = kept.reduce((sum, { size }) => sum + size, 0);
  for (const { path, size } of kept.sort((one, other) => one.used - other.used)) {
    if (total <= max) break;
    await rm(path, { force: true });
    total -= size;
  }
  return total;
}

/** Skips files that another process removes at the same time. */
async function listCachedFiles(folder: string): Promise<CachedFile[]> {
  const names = await readdir(folder, { recursive: true });
  const files = names.map(async (name) => {
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    return found?.isFile() === true ? [{ path, size: found.size, used: found.mtimeMs }] : [];
  });
  return (await Promise.all(files)).flat();
}

export const evictLog = (ref: JobRef, { env, settings }: Context): Promise<void> =>
  dropLog(cacheDir(env), settings.baseUrl, ref).catch(throwCannotEvict);

export const evictLogsOfToken = (baseUrl: string, token: string, { env }: Context): Promise<void> =>
  dropAccount(cacheDir(env), { baseUrl, token }).catch(throwCannotEvict);

function throwCannotEvict(error: unknown): never {
  const code = (error as NodeJS.ErrnoException).code ?? String(error);
  throw new CictlError('machine', `cannot remove logs from the cache: ${code}`, { cause: error });
}
