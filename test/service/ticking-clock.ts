import type { Clock } from '../../src/common/clock.ts';

export interface TickingClock extends Pick<Clock, 'now'> {
  /** Sets the time of the next read; each later read is a millisecond later. */
  set(time: string): void;
}

/** A clock that starts at `start` and advances by a millisecond with each read. */
export function tickingClock(start = '2026-11-20T10:00:00.000Z'): TickingClock {
  let now = Date.parse(start);
  return {
    now: () => now++,
    set: (time) => {
      now = Date.parse(time);
    },
  };
}
