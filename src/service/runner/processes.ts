/** The processes of this machine, where the system lists them as files (Linux). */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

export interface Process {
  readonly id: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** It only waits to be reaped. */
  readonly isDead: boolean;
}

/** Undefined where the system does not list them. */
export function listProcesses(): Process[] | undefined {
  try {
    const names = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    return names.length === 0 ? undefined : names.flatMap((name) => readProcess(Number(name)));
  } catch {
    return undefined;
  }
}

/** What a process has open there: a path, or the name of a pipe. */
export function fileOf(id: number | 'self', descriptor: number): string | undefined {
  try {
    return readlinkSync(`/proc/${id}/fd/${descriptor}`);
  } catch {
    return undefined;
  }
}

/** None where it is gone meanwhile. */
function readProcess(id: number): Process[] {
  try {
    const stat = readFileSync(`/proc/${id}/stat`, 'latin1');
    // The name in brackets may hold anything, brackets included.
    const [state = '', ...ids] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [parent = 0, group = 0, session = 0] = ids.slice(0, 3).map(Number);
    return [{ id, parent, group, session, isDead: state === 'Z' || state === 'X' }];
  } catch {
    return [];
  }
}
