/**
 * The processes of a job: the process groups led by its shells, one per hook or command, and, on
 * Linux, processes that have left them. `timeout` and `set -m` make new groups in the same session;
 * `setsid` also leaves the session, and is identified by a mark (`processes.ts`).
 */
import type { JobSpec } from '../runner-port.ts';
import {
  fileOf,
  hasOpen,
  identityOf,
  isNamed,
  listProcesses,
  sendSignal,
  withDescendants,
  type Beginning,
  type Process,
} from './processes.ts';

export interface ProcessGroup {
  /** Adds a process that leads its own session. */
  add(leader: number): void;
  /** Signals every process of the job, if any. */
  signal(name: NodeJS.Signals): void;
  /** Whether any process of the job is left, except zombies. */
  isAlive(): boolean;
  /** Whether any of them has this open file of ours as its output, if the system can tell. */
  isWritingTo(descriptor: number): boolean;
}

export function createProcessGroup({
  jobId,
  logFile,
}: Pick<JobSpec, 'jobId' | 'logFile'>): ProcessGroup {
  let log: string | undefined;
  const leaders = new Set<number>();
  let first: Beginning | undefined;
  /** The ID of an empty session may soon belong to another one. */
  const removeEmpty = (all: readonly Process[] | undefined): void => {
    for (const leader of leaders) {
      const exists =
        all?.some(({ group, session }) => group === leader || session === leader) ??
        sendSignal(-leader, 0);
      if (!exists) leaders.delete(leader);
    }
  };
  const isOurs = ({ id, group, session }: Process): boolean =>
    leaders.has(group) ||
    leaders.has(session) ||
    isNamed(id, [jobId]) ||
    (log !== undefined && hasOpen(id, log));
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
      for (const leader of leaders) sendSignal(-leader, name);
      for (const member of found) sendSignal(member, name);
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
