import { growingLog, type GrowingLogOptions } from '../api/log-bytes.ts';
import type { Clock } from '../clock.ts';

export interface FollowedLog extends GrowingLogOptions {
  /** Aborted when the job has ended: the log is read once more to its end then. */
  readonly ended: AbortSignal;
  readonly clock: Clock;
  /** Milliseconds between two requests. */
  readonly pause: number;
  /** Whether the job is known to have written nothing, at its beginning or at its end. */
  readonly isSilent?: (() => boolean) | undefined;
}

/** The bytes of a job's log as they come, each of them once, until the job has ended. */
export async function* followLog(log: FollowedLog): AsyncGenerator<Uint8Array> {
  const { readNew } = growingLog(log);
  for (let isFirst = true; ; isFirst = false) {
    const isLast = log.ended.aborted;
    if (!(isFirst || isLast) || log.isSilent?.() !== true) yield* readNew();
    if (isLast) return;
    await log.clock.sleep(log.pause, log.ended).catch(ignoreEnd);
  }
}

const ignoreEnd = (): undefined => undefined;
