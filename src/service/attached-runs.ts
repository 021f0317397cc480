/** Processes whose builds run in a service that lives in another one: it must not end before them. */
import { pid as own } from 'node:process';
import { isRunning } from './running-process.ts';

export interface AttachedRuns {
  add(pid: number): void;
  /** How many of them are still there. */
  count(): number;
}

export function createAttachedRuns(): AttachedRuns {
  const pids = new Set<number>();
  return {
    add: (pid) => {
      if (pid !== own) pids.add(pid);
    },
    count: () => {
      for (const pid of pids) if (!isRunning(pid)) pids.delete(pid);
      return pids.size;
    },
  };
}
