import { realpathSync } from 'node:fs';
import { kill, pid } from 'node:process';
import type { Leftovers } from '../runner-port.ts';
import { hasOpenFrom, isNamed } from './job-mark.ts';
import { listProcesses, type Process, withDescendants } from './processes.ts';

/**
 * Kills what jobs left running when the service that watched them was itself killed. The folder
 * must be ours: of a service that runs, these are the jobs.
 *
 * @returns how many processes there were.
 */
export function killLeftovers({ jobIds, logs }: Leftovers): number {
  const folder = realPath(logs);
  const isLeft = ({ id }: Process): boolean => hasOpenFrom(id, folder) || isNamed(id, jobIds);
  const killed = new Set([pid]);
  for (let before = 0; killed.size > before;) {
    before = killed.size;
    // Once more where there were any: one may have been started while the list was made.
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
    // Gone meanwhile.
  }
}

function realPath(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}
