import type { Clock } from '../../src/common/clock.ts';

export interface TickingClock extends Pick<Clock, 'now'> {
  /** The time of the next look; each look after it is a millisecond later. */
  set(time: string): void;
}

/** Time that stands at `start` and moves by a millisecond with each look. */
export function tickingClock(start = '2026-11-20T10:00:00.000Z'): TickingClock {
  let now = Date.parse(start);
  return {
    now: () => now++,
    set: (time) => {
      now = Date.parse(time);
    },
  };
}
