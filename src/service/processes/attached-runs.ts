/** The users of a service, which decide whether it may end: attached runs and readers. */
import { pid as own } from 'node:process';
import type { Clock } from '../../common/clock.ts';
import { runMark } from '../admin.ts';
import { isRunning } from '../runner/processes.ts';

/** Other processes whose builds run in this service, which must not end before them. */
export interface AttachedRuns {
  /** Returns whether the service waits for this process. */
  add(pid: number): boolean;
  count(): number;
  /** Returns whether there are none; if so, none can be added any more. */
  leave(): boolean;
  refuse(): void;
}

export function createAttachedRuns(): AttachedRuns {
  const pids = new Set<number>();
  let hasLeft = false;
  const count = (): number => {
    for (const pid of pids) if (!isRunning(pid)) pids.delete(pid);
    return pids.size;
  };
  return {
    add: (pid) => {
      if (pid !== own && !hasLeft) pids.add(pid);
      return !hasLeft;
    },
    count,
    leave: () => (hasLeft ||= count() === 0),
    refuse: () => void (hasLeft = true),
  };
}

/** Clients other than runs and jobs. */
export interface Readers {
  add(userAgent: string | undefined): void;
  /** Milliseconds since the last request; null if there was none. */
  sinceLast(): number | null;
}

export function createReaders(clock: Pick<Clock, 'now'>): Readers {
  let last: number | undefined;
  return {
    add: (userAgent) => {
      if (userAgent?.endsWith(runMark) !== true) last = clock.now();
    },
    sinceLast: () => (last === undefined ? null : clock.now() - last),
  };
}
