import { realpathSync } from 'node:fs';
import { kill, pid } from 'node:process';
import type { Leftovers } from '../runner-port.ts';
import { hasOpenFrom, isNamed, listProcesses, withDescendants, type Process } from './processes.ts';

/**
 * Kills the processes that jobs of a killed service left running; returns how many there were. The
 * directory must not belong to a running service.
 */
export function killLeftovers({ jobIds, logs }: Leftovers): number {
  const folder = realPath(logs);
  const isLeft = ({ id }: Process): boolean => hasOpenFrom(id, folder) || isNamed(id, jobIds);
  const killed = new Set([pid]);
  for (let before = 0; killed.size > before;) {
    before = killed.size;
    // Repeated, because a process may have been started while the list was made.
    for (const id of withDescendants(listProcesses() ?? [], isLeft)) killOnce(id, killed);
  }
  return killed.size - 1;
}

function killOnce(id: number, killed: Set<number>): void {
  if (killed.has(id)) return;
  killed.add(id);
  try {
    kill(id, 'SIGKILL');
  } catch {
    // It has exited.
  }
}

function realPath(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}
