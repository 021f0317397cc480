import { startTimer } from './timer.ts';

/** The time of this machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      const interrupt = (): void => {
        timer.stop();
        reject(signal?.reason as Error);
      };
      const timer = startTimer(ms, () => {
        signal?.removeEventListener('abort', interrupt);
        resolve();
      });
      if (signal?.aborted === true) interrupt();
      else signal?.addEventListener('abort', interrupt, { once: true });
    }),
};

/** Where time comes from: milliseconds since the epoch, and waiting. */
export interface Clock {
  now(): number;
  /** Resolves after `ms`; rejects with the signal's reason when that is aborted first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}
