/**
 * The processes of one job: the process groups that its shells lead, one a hook or command, and,
 * where the system tells (Linux), those that left them: `timeout` and `set -m` make groups of their
 * own in the same session, `setsid` leaves that too and is known by the job's id in its environment.
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { kill, pid } from 'node:process';

export interface ProcessGroup {
  /** A process that leads a session of its own belongs to the job. */
  add(leader: number): void;
  /** To every process of the job; none left is no error. */
  signal(name: NodeJS.Signals): void;
  /** Whether any process of the job is left, those that wait to be reaped not counted. */
  isAlive(): boolean;
  /** Whether any of them still has this file of ours as its output, where the system tells. */
  isWritingTo(descriptor: number): boolean;
}

/** The processes of a job, none so far. */
export function createProcessGroup(jobId: string): ProcessGroup {
  const mark = markOf(jobId);
  const leaders = new Set<number>();
  /** The id of a session in which nobody is left may soon be that of others. */
  const removeEmpty = (all: readonly Process[] | undefined): void => {
    for (const leader of leaders) {
      const isThere = all?.some((one) => isLedBy(one, leader)) ?? send(-leader, 0);
      if (!isThere) leaders.delete(leader);
    }
  };
  const members = (): number[] | undefined => {
    const all = listProcesses();
    removeEmpty(all);
    return all
      ?.filter((one) => !one.isDead && (isLedByOneOf(one, leaders) || hasMark(one.id, mark)))
      .map(({ id }) => id);
  };
  return {
    add: (leader) => void leaders.add(leader),
    signal(name) {
      const found = members() ?? [];
      for (const leader of leaders) send(-leader, name);
      for (const member of found) send(member, name);
    },
    isAlive: () => (members()?.length ?? leaders.size) > 0,
    isWritingTo(descriptor) {
      const found = members();
      if (found === undefined) return leaders.size > 0;
      const file = fileOf('self', descriptor);
      return found.some((id) => [1, 2].some((stream) => fileOf(id, stream) === file));
    },
  };
}

/** Kills what a job left running when the service that watched it was itself killed. */
export function killLeftovers(jobId: string): void {
  const mark = markOf(jobId);
  for (const { id, isDead } of listProcesses() ?? []) {
    if (!isDead && id !== pid && hasMark(id, mark)) send(id, 'SIGKILL');
  }
}

/** How a job's id stands in the environment of a process. */
const markOf = (jobId: string): Buffer => Buffer.from(`BUILDKITE_JOB_ID=${jobId}\0`);

/** False where there is nobody to get it. */
function send(target: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return kill(target, signal);
  } catch {
    return false;
  }
}

interface Process {
  readonly id: number;
  readonly group: number;
  readonly session: number;
  /** It only waits to be reaped. */
  readonly isDead: boolean;
}

const isLedBy = ({ group, session }: Process, leader: number): boolean =>
  group === leader || session === leader;

const isLedByOneOf = ({ group, session }: Process, leaders: ReadonlySet<number>): boolean =>
  leaders.has(group) || leaders.has(session);

/** Undefined where the system does not list its processes as files. */
function listProcesses(): Process[] | undefined {
  try {
    const names = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    return names.length === 0 ? undefined : names.flatMap((name) => readProcess(Number(name)));
  } catch {
    return undefined;
  }
}

/** None where it is gone meanwhile. */
function readProcess(id: number): Process[] {
  try {
    const stat = readFileSync(`/proc/${id}/stat`, 'latin1');
    // The name in brackets may hold anything, brackets included.
    const [state = '', , group, session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const isDead = state === 'Z' || state === 'X';
    return [{ id, group: Number(group), session: Number(session), isDead }];
  } catch {
    return [];
  }
}

/** What a process has open there: a path, or the name of a pipe. */
function fileOf(id: number | 'self', descriptor: number): string | undefined {
  try {
    return readlinkSync(`/proc/${id}/fd/${descriptor}`);
  } catch {
    return undefined;
  }
}

function hasMark(id: number, mark: Buffer): boolean {
  try {
    return readFileSync(`/proc/${id}/environ`).includes(mark);
  } catch {
    // Gone meanwhile, or another user's.
    return false;
  }
}
