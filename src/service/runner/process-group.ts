/**
 * The processes of one job: the process group that its shell leads, and, where the system tells
 * (Linux), those that left the group: `timeout` and `set -m` make groups of their own in the same
 * session, `setsid` leaves that too and is known by the job's id in its environment.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { kill, pid } from 'node:process';

export interface ProcessGroup {
  /** To every process of the job; none left is no error. */
  signal(name: NodeJS.Signals): void;
  /** Whether any process of the job is left, those that wait to be reaped not counted. */
  isAlive(): boolean;
}

/** The processes of the job whose shell has this id. The shell must lead a session of its own. */
export function processGroupOf(leader: number, jobId: string): ProcessGroup {
  const mark = markOf(jobId);
  const members = (): number[] | undefined => listMembers(leader, mark);
  return {
    signal(name) {
      send(-leader, name);
      for (const member of members() ?? []) send(member, name);
    },
    isAlive: () => (members()?.length ?? (send(-leader, 0) ? 1 : 0)) > 0,
  };
}

/** Kills what a job left running when the service that watched it was itself killed. */
export function killLeftovers(jobId: string): void {
  for (const found of listMembers(undefined, markOf(jobId)) ?? []) {
    if (found !== pid) send(found, 'SIGKILL');
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

/** Undefined where the system does not list its processes as files. */
function listMembers(leader: number | undefined, mark: Buffer): number[] | undefined {
  let names: string[];
  try {
    names = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return undefined;
  }
  if (names.length === 0) return undefined;
  return names.map(Number).filter((id) => isMember(id, leader, mark));
}

function isMember(id: number, leader: number | undefined, mark: Buffer): boolean {
  try {
    const stat = readFileSync(`/proc/${id}/stat`, 'latin1');
    // The name in brackets may hold anything, brackets included.
    const [state, , group, session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (state === 'Z' || state === 'X') return false;
    if (Number(group) === leader || Number(session) === leader) return true;
    return readFileSync(`/proc/${id}/environ`).includes(mark);
  } catch {
    // Gone meanwhile, or another user's.
    return false;
  }
}
