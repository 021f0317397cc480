import type { Clock } from '../context.ts';
import { CictlError } from '../errors.ts';
import type { Response } from '../http/transport.ts';

export interface FollowedLog {
  /** One request for the log; a range like `bytes=100-`, or all of it. */
  readonly read: (range: string | undefined) => Promise<Response>;
  /** Aborted when the job has ended: the log is read once more to its end then. */
  readonly ended: AbortSignal;
  readonly clock: Clock;
  /** Milliseconds between two requests. */
  readonly pause: number;
}

/** The bytes of a job's log as they come, each of them once, until the job has ended. */
export async function* followLog(log: FollowedLog): AsyncGenerator<Uint8Array> {
  let offset = 0;
  for (;;) {
    const last = log.ended.aborted;
    for await (const chunk of since(log, offset)) {
      offset += chunk.length;
      yield chunk;
    }
    if (last) return;
    await log.clock.sleep(log.pause, log.ended).catch(ignoreEnd);
  }
}

/** What lies behind `offset` by now; nothing where there is no log yet. */
async function* since({ read }: FollowedLog, offset: number): AsyncGenerator<Uint8Array> {
  const response = await read(offset === 0 ? undefined : `bytes=${offset}-`).catch(noLogYet);
  if (response === undefined) return;
  let known = response.status === 416 ? Infinity : offset - startOf(response);
  for await (const chunk of response.body) {
    const news = chunk.subarray(Math.min(known, chunk.length));
    known -= chunk.length - news.length;
    if (news.length > 0) yield news;
  }
}

/** Where the body begins in the log: a service may ignore the range and send all. */
function startOf({ status, headers }: Response): number {
  const range = /^bytes (\d+)-/.exec(headers['content-range'] ?? '');
  return status === 206 && range ? Number(range[1]) : 0;
}

function noLogYet(error: unknown): undefined {
  if (error instanceof CictlError && error.kind === 'not_found') return undefined;
  throw error;
}

const ignoreEnd = (): undefined => undefined;
