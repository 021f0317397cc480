import { startTimer } from '../../common/clock.ts';

/** Time for the runner. Injected by tests, which then need not wait. */
export interface Timers {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Runs `act` after `ms` milliseconds; the function that comes back calls it off. */
  after(ms: number, act: () => void): () => void;
}

export const systemTimers: Timers = {
  now: () => Date.now(),
  after(ms, act) {
    const timer = startTimer(ms, act);
    return () => timer.stop();
  },
};
