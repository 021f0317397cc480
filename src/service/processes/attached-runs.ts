/** Processes whose builds run in a service that lives in another one: it must not end before them. */
import { pid as own } from 'node:process';
import { isRunning } from './running-process.ts';
import { runMark } from '../admin.ts';
import type { Clock } from '../../common/clock.ts';

export interface AttachedRuns {
  /** Whether the service waits for this process; false once it has left. */
  add(pid: number): boolean;
  /** How many of them are still there. */
  count(): number;
  /** Whether none is there; then none is taken any more, and the service may end. */
  leave(): boolean;
  /** Takes none any more, whoever is there. */
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

// Who reads of the service, beside the runs and jobs that it is there for.

export interface Readers {
  /** A user has asked for something, with this `User-Agent`. */
  add(userAgent: string | undefined): void;
  /** Milliseconds since the last of them; null where there was none. */
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
