import { realpathSync } from 'node:fs';
import { pid } from 'node:process';
import type { Leftovers } from '../runner-port.ts';
import {
  hasOpenFrom,
  isNamed,
  listProcesses,
  sendSignal,
  withDescendants,
  type Process,
} from './processes.ts';

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
    for (const id of withDescendants(listProcesses() ?? [], isLeft)) {
      if (!killed.has(id)) sendSignal(id, 'SIGKILL');
      killed.add(id);
    }
  }
  return killed.size - 1;
}

function realPath(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}
