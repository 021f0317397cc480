import { onAbort } from './abort.ts';

/** The time of this machine. */
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

/** Where time comes from: milliseconds since the epoch, and waiting. */
export interface Clock {
  now(): number;
  /** Resolves after `ms`; rejects with the signal's reason when that is aborted first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

// Timers: the only file that uses those of Node.

/** The longest time that a timer of Node holds, in milliseconds; a longer one fires at once. */
const longestTimer = 2 ** 31 - 1;

export interface Timer {
  /** Begins the whole time anew; nothing where it has fired or was stopped. */
  restart(): void;
  stop(): void;
}

interface TimerOptions {
  /** Whether the process waits for it; default true. */
  readonly keepsProcess?: boolean;
}

/**
 * Calls `callback` once after `ms` milliseconds, however many: what Node cannot hold it takes in
 * turns.
 */
export function startTimer(
  ms: number,
  callback: () => void,
  { keepsProcess = true }: TimerOptions = {},
): Timer {
  const whole = ms > 0 ? ms : 0;
  let left = whole;
  let timer: NodeJS.Timeout | undefined;
  const turn = (): void => {
    const step = Math.min(left, longestTimer);
    timer = setTimeout(() => {
      left -= step;
      if (left > 0) {
        turn();
        return;
      }
      timer = undefined;
      callback();
    }, step);
    if (!keepsProcess) timer.unref();
  };
  const stop = (): void => {
    clearTimeout(timer);
    timer = undefined;
  };
  turn();
  return {
    stop,
    restart() {
      if (timer === undefined) return;
      // Called for each piece of a body, and this is cheap.
      if (whole <= longestTimer) return void timer.refresh();
      stop();
      left = whole;
      turn();
    },
  };
}

/** Lets all that waits have its turn: requests, files, timers. */
export const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

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

interface TimeLimit {
  readonly ms: number;
  readonly clock: Clock;
  /** What is thrown then. */
  readonly reason: Error;
}
