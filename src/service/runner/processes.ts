/** The processes of this machine, where the system lists them as files (Linux). */
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';

export interface Process {
  readonly id: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** It only waits to be reaped. */
  readonly isDead: boolean;
}

/** A process, and when it was started, by `performance.now()`. */
export interface Beginning {
  readonly id: number;
  readonly at: number;
}

/** Milliseconds within which the ids of processes are not used up, begun anew, and used up once more. */
const shortTime = 5000;
/** So many ids are looked at one by one; beyond, the list of all is shorter. */
const fewIds = 100;

/**
 * Undefined where the system does not list them. With `since`, those that are older than that process
 * may be left out: at the end of a short job nobody is younger, and the list of all is long.
 */
export function listProcesses(since?: Beginning): Process[] | undefined {
  const from = since !== undefined && performance.now() - since.at < shortTime ? since.id : 1;
  const last = from === 1 ? undefined : lastId();
  // Ids are given in order; a lower last one means that they have begun anew.
  if (last === undefined || last < from) return listFrom(1);
  if (last - from >= fewIds) return listFrom(from);
  const ids = Array.from({ length: last - from + 1 }, (_, index) => from + index);
  return ids.filter(isThere).flatMap(readProcess);
}

/** The id that was given last. */
function lastId(): number | undefined {
  try {
    const id = Number(readFileSync('/proc/loadavg', 'latin1').trim().split(' ').at(-1));
    return Number.isSafeInteger(id) ? id : undefined;
  } catch {
    return undefined;
  }
}

/** The error of a file that is not there costs more than to ask. */
const isThere = (id: number): boolean =>
  statSync(`/proc/${id}`, { throwIfNoEntry: false }) !== undefined;

function listFrom(from: number): Process[] | undefined {
  try {
    const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    if (ids.length === 0) return undefined;
    return ids.map(Number).flatMap((id) => (id < from ? [] : readProcess(id)));
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

/**
 * Ids of the processes that are chosen, and of all that descend from them: a child that has lost
 * every mark is still its parent's. Those that wait to be reaped are left out.
 */
export function withDescendants(
  all: readonly Process[],
  isChosen: (one: Process) => boolean,
): number[] {
  const living = all.filter(({ isDead }) => !isDead);
  const found = new Set(living.filter(isChosen).map(({ id }) => id));
  for (let before = -1; found.size > before;) {
    before = found.size;
    for (const { id, parent } of living) if (found.has(parent)) found.add(id);
  }
  return [...found];
}
