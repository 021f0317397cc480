/** Who reads of the service, beside the runs and jobs that it is there for. */
import type { LocalClock } from './clock.ts';

/** At the end of the `User-Agent` of a `run`, which knows itself how long it needs the service. */
export const runMark = ' (run)';

export interface Readers {
  /** A user has asked for something, with this `User-Agent`. */
  add(userAgent: string | undefined): void;
  /** Milliseconds since the last of them; null where there was none. */
  sinceLast(): number | null;
}

export function createReaders(clock: Pick<LocalClock, 'now'>): Readers {
  let last: number | undefined;
  return {
    add: (userAgent) => {
      if (userAgent?.endsWith(runMark) !== true) last = clock.now();
    },
    sinceLast: () => (last === undefined ? null : clock.now() - last),
  };
}
