import type { JobRef } from '../api/refs.ts';
import { dropAccount, dropLog } from './log-cache.ts';
import { cacheDir } from '../config/folders.ts';
import type { Context } from '../context.ts';
import { CictlError } from '../errors.ts';

/** Removes a log that was deleted from the service. Exit code 10 if that fails. */
export const evictLog = (ref: JobRef, { env, settings }: Context): Promise<void> =>
  dropLog(cacheDir(env), settings.baseUrl, ref).catch(throwCannotEvict);

/** Removes all logs that were read with a token. Exit code 10 if that fails. */
export const evictLogsOfToken = (baseUrl: string, token: string, { env }: Context): Promise<void> =>
  dropAccount(cacheDir(env), { baseUrl, token }).catch(throwCannotEvict);

function throwCannotEvict(error: unknown): never {
  const code = (error as NodeJS.ErrnoException).code ?? String(error);
  throw new CictlError('machine', `cannot remove logs from the cache: ${code}`, { cause: error });
}
