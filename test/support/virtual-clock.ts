import type { Clock } from '../../src/common/clock.ts';

interface Timer {
  readonly at: number;
  readonly ring: () => void;
}

/**
 * A clock that jumps to the next timer when the program is idle, so that an hour of waiting takes
 * no time and every run is the same.
 */
export function virtualClock(start = 0): Clock {
  let now = start;
  const timers = new Set<Timer>();

  function jump(): void {
    const next = [...timers].sort((a, b) => a.at - b.at)[0];
    if (next === undefined) return;
    timers.delete(next);
    now = Math.max(now, next.at);
    next.ring();
  }

  function sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const fail = (): void => {
        timers.delete(timer);
        reject(signal?.reason as Error);
      };
      const ring = (): void => {
        signal?.removeEventListener('abort', fail);
        resolve();
      };
      const timer = { at: now + ms, ring };
      if (signal?.aborted === true) {
        fail();
        return;
      }
      signal?.addEventListener('abort', fail, { once: true });
      timers.add(timer);
      setImmediate(jump);
    });
  }

  return { now: () => now, sleep };
}
