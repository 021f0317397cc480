import { onAbort } from './abort.ts';

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      const timer = startTimer(ms, () => {
        ignore();
        resolve();
      });
      const ignore = onAbort(signal, (reason) => {
        timer.stop();
        reject(reason);
      });
    }),
};

export interface Clock {
  now(): number;
  /** Resolves after `ms`; rejects with the signal's reason if it is aborted first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Milliseconds since the process started. The first `performance.now()` would take 1 ms. */
export const monotonicNow = (): number => process.uptime() * 1000;

/** Milliseconds (24.8 days). For larger values, Node's timers fire immediately. */
const longestTimer = 2 ** 31 - 1;

export interface Timer {
  /** Restarts the timer unless it fired or was stopped. Cheap enough to call for each chunk. */
  restart(): void;
  stop(): void;
}

/** Calls `callback` after `ms`, or never if `ms` exceeds 24.8 days. Only this file uses timers. */
export function startTimer(
  ms: number,
  callback: () => void,
  { keepsProcess = true }: { readonly keepsProcess?: boolean } = {},
): Timer {
  let isOver = false;
  const fire = (): void => {
    if (ms > longestTimer) {
      timer.refresh();
      return;
    }
    isOver = true;
    callback();
  };
  const timer = setTimeout(fire, ms > 0 ? Math.min(ms, longestTimer) : 0);
  if (!keepsProcess) timer.unref();
  return {
    restart: () => {
      if (!isOver) timer.refresh();
    },
    stop: () => {
      isOver = true;
      clearTimeout(timer);
    },
  };
}

export const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

/** Runs `work` with a signal that is aborted with `reason` after `ms` milliseconds. */
export async function withTimeLimit<T>(
  work: (limit: AbortSignal) => Promise<T>,
  { ms, clock, reason }: { ms: number; clock: Clock; reason: Error },
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
