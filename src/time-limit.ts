import type { Clock } from './clock.ts';

/** Does `work` with a signal that is aborted, for `reason`, when it takes longer than `ms`. */
export async function withTimeLimit<T>(
  work: (limit: AbortSignal) => Promise<T>,
  { ms, clock, reason }: TimeLimit,
): Promise<T> {
  const limit = new AbortController();
  const done = new AbortController();
  const timer = clock.sleep(ms, done.signal).then(
    () => limit.abort(reason),
    () => undefined,
  );
  try {
    return await work(limit.signal);
  } finally {
    done.abort();
    await timer;
  }
}

export interface TimeLimit {
  readonly ms: number;
  readonly clock: Clock;
  /** What is thrown then. */
  readonly reason: Error;
}
