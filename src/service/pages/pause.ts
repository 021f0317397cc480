import { startTimer } from '../../common/clock.ts';

/** Resolves after so many milliseconds; the process does not stay for it. */
export const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => startTimer(ms, resolve, { keepsProcess: false }));
