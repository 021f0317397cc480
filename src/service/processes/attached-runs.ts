/** Tracks use of a service, which may only stop without attached runs and recent requests. */
import { pid as own } from 'node:process';
import type { Clock } from '../../common/clock.ts';
import { runMark } from '../admin.ts';
import { isRunning } from '../runner/processes.ts';

export type AttachedRuns = ReturnType<typeof createAttachedRuns>;

/** Processes whose builds run in this service. The service must not stop before they exit. */
export function createAttachedRuns() {
  const pids = new Set<number>();
  let hasLeft = false;
  const count = (): number => {
    for (const pid of pids) if (!isRunning(pid)) pids.delete(pid);
    return pids.size;
  };
  return {
    /** Returns false if the service is closing. */
    add: (pid: number): boolean => {
      if (pid !== own && !hasLeft) pids.add(pid);
      return !hasLeft;
    },
    count,
    /** Returns true if no runs are attached. After that, no run can attach. */
    leave: (): boolean => (hasLeft ||= count() === 0),
    refuse: (): void => void (hasLeft = true),
  };
}

export type Readers = ReturnType<typeof createReaders>;

/** Tracks readers: all clients except runs and jobs. */
export function createReaders(clock: Pick<Clock, 'now'>) {
  let last: number | undefined;
  return {
    add: (userAgent: string | undefined): void => {
      if (userAgent?.endsWith(runMark) !== true) last = clock.now();
    },
    /** Milliseconds since the last request; null if there was none. */
    sinceLast: (): number | null => (last === undefined ? null : clock.now() - last),
  };
}
