/**
 * The processes on this machine, if the system lists them as files (Linux).
 *
 * Two marks identify processes that have left the sessions of their job: the job's ID in the
 * environment, and the job's log as an open file. The open file survives `env -i`, `setsid` and a
 * double fork. A program that clears its environment and closes all unknown files has neither mark.
 */
import { readdirSync, readFileSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { platform } from 'node:os';
import { dirname } from 'node:path';
import { kill, pid } from 'node:process';
import { attempt } from '../../common/attempt.ts';
import type { Leftovers } from '../runner-port.ts';

export interface Process {
  readonly id: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** Whether the process is a zombie. */
  readonly isDead: boolean;
}

/** A process ID and the start time of the process (on the clock of `performance.now()`). */
export interface Beginning {
  readonly id: number;
  readonly at: number;
}

/** Within this many milliseconds, process IDs cannot wrap around twice. */
const shortTime = 5000;
/** If there are more IDs than this, listing all processes is faster than checking each ID. */
const fewIds = 100;

/** Returns undefined except on Linux. With `since`, may omit older processes to save time. */
export function listProcesses(since?: Beginning): Process[] | undefined {
  const from = since !== undefined && performance.now() - since.at < shortTime ? since.id : 1;
  const last = from === 1 ? undefined : lastId();
  // Process IDs increase until they wrap around. Then the last ID may be smaller than `from`.
  if (last === undefined || last < from) return listFrom(1);
  if (last - from >= fewIds) return listFrom(from);
  const ids = Array.from({ length: last - from + 1 }, (_, index) => from + index);
  return ids.filter(exists).flatMap(readProcess);
}

function lastId(): number | undefined {
  const text = attempt(() => readFileSync('/proc/loadavg', 'latin1'));
  const id = Number(text?.trim().split(' ').at(-1));
  return Number.isSafeInteger(id) ? id : undefined;
}

/** Faster than handling the error for a missing file. */
const exists = (id: number): boolean =>
  statSync(`/proc/${id}`, { throwIfNoEntry: false }) !== undefined;

function listFrom(from: number): Process[] | undefined {
  const names = attempt(() => readdirSync('/proc')) ?? [];
  const ids = names.filter((name) => /^\d+$/.test(name)).map(Number);
  if (ids.length === 0) return undefined;
  return ids.flatMap((id) => (id < from ? [] : readProcess(id)));
}

/** Empty if the process has already exited. */
function readProcess(id: number): Process[] {
  const fields = statOf(id);
  if (fields === undefined) return [];
  const [parent = 0, group = 0, session = 0] = fields.slice(1, 4).map(Number);
  return [{ id, parent, group, session, isDead: isDead(fields) }];
}

/** The fields of `/proc/PID/stat`, starting with the state. */
function statOf(id: number): string[] | undefined {
  const stat = attempt(() => readFileSync(`/proc/${id}/stat`, 'latin1'));
  // The name of the program is in parentheses, and may itself contain parentheses.
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
}

const isDead = ([state]: readonly string[]): boolean => state === 'Z' || state === 'X';

/** Includes other users' processes; excludes zombies. */
export function isRunning(id: number): boolean {
  try {
    kill(id, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return !isDead(statOf(id) ?? []);
}

/** Start time of the process: unique per ID, even across reboots. Undefined except on Linux. */
export function startOf(id: number): string | undefined {
  const boot = attempt(() => readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim());
  const ticks = statOf(id)?.[19];
  return boot === undefined || ticks === undefined ? undefined : `${boot} ${ticks}`;
}

/** Returns the chosen processes and all their descendants, even unmarked ones. Excludes zombies. */
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

/** A negative target is a process group. Returns false if it is missing or another user's. */
export const sendSignal = (target: number, signal: NodeJS.Signals | 0): boolean =>
  attempt(() => kill(target, signal)) === true;

/** A file that a process has open: a path, or the name of a pipe. */
export const fileOf = (id: number | 'self', descriptor: number): string | undefined =>
  attempt(() => readlinkSync(`/proc/${id}/fd/${descriptor}`));

/** A rarely used file descriptor: scripts start at 3, and shells use 10 and up, or 63 and down. */
const markDescriptor = 47;

/** The mark is only useful if the system lists the open files of processes. */
export const opensMark = platform() === 'linux';

export const withMark = (
  streams: readonly ('ignore' | number)[],
  mark: number,
): ('ignore' | number)[] => [
  ...streams,
  ...Array<'ignore'>(markDescriptor - streams.length).fill('ignore'),
  mark,
];

/** Identifies a file even after it was moved or deleted; undefined if the file does not exist. */
export const identityOf = (file: string): string | undefined => {
  const found = statSync(file, { throwIfNoEntry: false });
  return found === undefined ? undefined : `${found.dev}:${found.ino}`;
};

export const hasOpen = (id: number, identity: string): boolean =>
  attempt(() => identityOf(`/proc/${id}/fd/${markDescriptor}`)) === identity && isInherited(id);

/** Whether a process is marked by a file in this directory, even if the file was deleted. */
function hasOpenFrom(id: number, folder: string): boolean {
  const file = fileOf(id, markDescriptor);
  return file !== undefined && dirname(file) === folder && isInherited(id);
}

/** Distinguishes the mark from files that Node opens itself, which have `O_CLOEXEC`. */
function isInherited(id: number): boolean {
  const info = attempt(() => readFileSync(`/proc/${id}/fdinfo/${markDescriptor}`, 'latin1'));
  const flags = /^flags:\s*([0-7]+)$/m.exec(info ?? '')?.[1];
  return flags !== undefined && (parseInt(flags, 8) & closedOnExec) === 0;
}

const closedOnExec = 0o2000000;

export function isNamed(id: number, jobIds: readonly string[]): boolean {
  if (jobIds.length === 0) return false;
  const environment = attempt(() => readFileSync(`/proc/${id}/environ`, 'latin1')) ?? '';
  return jobIds.some((jobId) => environment.includes(`BUILDKITE_JOB_ID=${jobId}\0`));
}

/** Kills processes that the jobs of a killed service have left behind. Returns their number. */
export function killLeftovers({ jobIds, logs }: Leftovers): number {
  const folder = attempt(() => realpathSync(logs)) ?? logs;
  const isLeft = ({ id }: Process): boolean => hasOpenFrom(id, folder) || isNamed(id, jobIds);
  const killed = new Set([pid]);
  for (let before = 0; killed.size > before;) {
    before = killed.size;
    // Repeated, because processes may have been started while the list was being read.
    for (const id of withDescendants(listProcesses() ?? [], isLeft)) {
      if (!killed.has(id)) sendSignal(id, 'SIGKILL');
      killed.add(id);
    }
  }
  return killed.size - 1;
}
