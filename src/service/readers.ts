/** Who reads of the service, beside the runs and jobs that it is there for. */
import { runMark } from './admin.ts';
import type { LocalClock } from './clock.ts';

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
