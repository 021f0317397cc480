/** Processes whose builds run in a service that lives in another one: it must not end before them. */
import { readFileSync } from 'node:fs';
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
    kill(pid, 0);
    return !isZombie(pid);
  } catch {
    return false;
  }
}

/** It has ended, and waits for a parent that does not ask. Only Linux says so. */
function isZombie(pid: number): boolean {
  try {
    return /^\d+ \(.*\) [ZX] /s.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}
