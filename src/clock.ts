import { onAbort } from './abort.ts';
import { startTimer } from './timer.ts';

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
