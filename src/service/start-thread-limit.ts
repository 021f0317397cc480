import { cpuUsage } from 'node:process';
import { startTimer } from '../common/clock.ts';

/** Calls back when work has taken too long, unless it is stopped before. */
export type StartLimit = (onOver: () => void) => { stop(): void };

/** Milliseconds that a thread may take for its work, of a clock and of a processor. */
const limit = 10_000;
/** So often it is looked at; a thread that does nothing at all is given up by then. */
const looks = 60;

/** What measures: milliseconds of the processors that this process has used, and a timer. */
export interface Measures {
  readonly used: () => number;
  readonly startTimer: (ms: number, onOver: () => void) => { stop(): void };
}

const system: Measures = {
  used() {
    const { user, system: kernel } = cpuUsage();
    return (user + kernel) / 1000;
  },
  startTimer,
};

/**
 * Ten seconds, on a machine that has a processor for it: where many wait for one, sound input takes
 * longer, and the processors say how much of it has been done.
 */
export function startThreadLimit(
  onOver: () => void,
  measures: Measures = system,
): { stop(): void } {
  const before = measures.used();
  let timer = { stop: (): void => undefined };
  const look = (left: number, ms: number): void => {
    timer = measures.startTimer(ms, () => {
      const missing = limit - (measures.used() - before);
      if (left === 0 || missing <= 0) onOver();
      else look(left - 1, Math.max(missing, 1000));
    });
  };
  look(looks, limit);
  return { stop: () => timer.stop() };
}
