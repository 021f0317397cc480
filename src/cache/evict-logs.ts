/** Removes logs from the cache, whether or not this command uses it. */
import type { JobRef } from '../api/refs.ts';
import { dropAccount, dropLog } from './log-cache.ts';
import { cacheDir } from '../config/folders.ts';
import type { Context } from '../context.ts';
import { CictlError } from '../errors.ts';

/** A log that was deleted at the service. Code 10 where its copy cannot be removed. */
export const evictLog = (ref: JobRef, { env, settings }: Context): Promise<void> =>
  dropLog(cacheDir(env), settings.baseUrl, ref).catch(throwCannotEvict);

/** All logs that were read with a token. Code 10 where they cannot be removed. */
export const evictLogsOfToken = (baseUrl: string, token: string, { env }: Context): Promise<void> =>
  dropAccount(cacheDir(env), { baseUrl, token }).catch(throwCannotEvict);

function throwCannotEvict(error: unknown): never {
  const code = (error as NodeJS.ErrnoException).code ?? String(error);
  throw new CictlError('machine', `cannot remove logs from the cache: ${code}`, { cause: error });
}
