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

/** Milliseconds. Node's timers fire immediately for larger values. */
const longestTimer = 2 ** 31 - 1;

export interface Timer {
  restart(): void;
  stop(): void;
}

interface TimerOptions {
  readonly keepsProcess?: boolean;
}

/** Calls `callback` once after any number of milliseconds. No other module uses Node's timers. */
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
      // Called for each chunk of a body, so this must be cheap.
      if (whole <= longestTimer) return void timer.refresh();
      stop();
      left = whole;
      turn();
    },
  };
}

export const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

/** Runs `work` with a signal that is aborted with `reason` after `ms`. */
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
  readonly reason: Error;
}
