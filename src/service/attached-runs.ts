/** Processes whose builds run in a service that lives in another one: it must not end before them. */
import { kill, pid as own } from 'node:process';

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
      for (const pid of pids) if (!isAlive(pid)) pids.delete(pid);
      return pids.size;
    },
  };
}

function isAlive(pid: number): boolean {
  try {
    return kill(pid, 0);
  } catch {
    return false;
  }
}
