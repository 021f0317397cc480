/**
 * The processes of one job: the process groups that its shells lead, one a hook or command, and,
 * where the system tells (Linux), those that left them: `timeout` and `set -m` make groups of their
 * own in the same session, `setsid` leaves that too and is known by a mark (`job-mark.ts`).
 */
import { kill } from 'node:process';
import type { JobSpec } from '../runner-port.ts';
import { hasOpen, identityOf, isNamed } from './job-mark.ts';
import {
  fileOf,
  listProcesses,
  type Beginning,
  type Process,
  withDescendants,
} from './processes.ts';

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
export function createProcessGroup({
  jobId,
  logFile,
}: Pick<JobSpec, 'jobId' | 'logFile'>): ProcessGroup {
  let log: string | undefined;
  const leaders = new Set<number>();
  let first: Beginning | undefined;
  /** The id of a session in which nobody is left may soon be that of others. */
  const removeEmpty = (all: readonly Process[] | undefined): void => {
    for (const leader of leaders) {
      const isThere = all?.some((one) => isLedBy(one, leader)) ?? send(-leader, 0);
      if (!isThere) leaders.delete(leader);
    }
  };
  const isOurs = (one: Process): boolean =>
    isLedByOneOf(one, leaders) ||
    isNamed(one.id, [jobId]) ||
    (log !== undefined && hasOpen(one.id, log));
  const members = (): number[] | undefined => {
    const all = listProcesses(first);
    removeEmpty(all);
    return all === undefined ? undefined : withDescendants(all, isOurs);
  };
  return {
    add(leader) {
      first ??= { id: leader, at: performance.now() };
      leaders.add(leader);
      log ??= identityOf(logFile);
    },
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

/** False where there is nobody to get it. */
function send(target: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return kill(target, signal);
  } catch {
    return false;
  }
}

const isLedBy = ({ group, session }: Process, leader: number): boolean =>
  group === leader || session === leader;

const isLedByOneOf = ({ group, session }: Process, leaders: ReadonlySet<number>): boolean =>
  leaders.has(group) || leaders.has(session);
