import { startTimer, systemClock } from '../../common/clock.ts';
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

export type StopReason = 'cancel' | 'timeout' | 'agent_stop' | 'process_run_error';

/** Milliseconds between TERM and KILL. */
const grace = 10_000;
/** Milliseconds for the `pre-exit` hooks if stopping the command has used up the grace period. */
const lastGrace = 5_000;
/** Polling interval in milliseconds, which grows. Only direct child processes report their exit. */
const pollInterval = { first: 10, longest: 200 };
/** Maximum number of polls after KILL. Processes that still exist then are ignored. */
const maxPolls = 20;

export type Stopper = ReturnType<typeof createStopper>;
type ProcessGroup = ReturnType<typeof createProcessGroup>;

export function createStopper(processes: ProcessGroup, timers: Timers) {
  const abort = new AbortController();
  let group: ProcessGroup | undefined = processes;
  let reason: StopReason | null = null;
  let sent: 'SIGTERM' | 'SIGKILL' | null = null;
  let isUrgent = false;
  let isLast = false;
  let cancelTimer = (): void => undefined;

  const send = (signal: 'SIGTERM' | 'SIGKILL'): void => {
    sent = signal;
    group?.signal(signal);
  };
  const killAfter = (ms: number): void => {
    cancelTimer();
    cancelTimer = timers.after(ms, () => send('SIGKILL'));
  };
  const stop = (why: StopReason): void => {
    reason ??= why;
    abort.abort(new Error(reason));
  };
  const waitWhile = async (isLeft: (processes: ProcessGroup) => boolean): Promise<void> => {
    let interval = pollInterval.first;
    for (let polls = 0; polls < maxPolls && group !== undefined && isLeft(group);) {
      if (sent === 'SIGKILL') {
        polls++;
        // Repeated, because processes may have been started while the list was being read.
        group.signal('SIGKILL');
      }
      await systemClock.sleep(interval);
      interval = Math.min(interval * 1.5, pollInterval.longest);
    }
  };
  const waitForExit = (): Promise<void> => waitWhile((one) => one.isAlive());
  return {
    get reason(): StopReason | null {
      return reason;
    },
    get allowsStart(): boolean {
      return sent === null || (isLast && sent === 'SIGTERM');
    },
    get signal(): AbortSignal {
      return abort.signal;
    },
    /** Adds a session of the job. If the job has been stopped, stops the session too. */
    attach(leader: number): void {
      group?.add(leader);
      if (sent === 'SIGKILL' || (sent !== null && !isLast)) group?.signal(sent);
    },
    /** Stops sending signals. Called when the job has ended: its process IDs may then be reused. */
    detach(): void {
      cancelTimer();
      group = undefined;
    },
    /** Sends TERM to all processes of the job, and KILL ten seconds later. */
    terminate(why: StopReason): void {
      stop(why);
      if (sent !== null) return;
      send('SIGTERM');
      killAfter(grace);
    },
    kill(why: StopReason): void {
      stop(why);
      cancelTimer();
      isUrgent = true;
      send('SIGKILL');
    },
    /** Called before the `pre-exit` hooks. Returns whether they may run. */
    beginLast(): boolean {
      isLast = true;
      if (isUrgent) return false;
      if (sent === 'SIGKILL') {
        sent = 'SIGTERM';
        killAfter(lastGrace);
      }
      return true;
    },
    isAnyLeft: (): boolean => group?.isAlive() === true,
    /** Sends TERM to background processes of the job, and KILL after `ms`. */
    async sweep(ms: number): Promise<void> {
      if (sent !== 'SIGKILL' && group?.isAlive() === true) {
        send('SIGTERM');
        killAfter(ms);
      }
      await waitForExit();
      cancelTimer();
    },
    waitForExit,
    /** Resolves when no process of the job writes to this file. */
    waitForSilence: (descriptor: number): Promise<void> =>
      waitWhile((one) => one.isWritingTo(descriptor)),
  };
}

/** Tests replace these functions. */
export interface Timers {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  after(ms: number, act: () => void): () => void;
}

export const systemTimers: Timers = {
  now: () => Date.now(),
  after(ms, act) {
    const timer = startTimer(ms, act);
    return () => timer.stop();
  },
};

/**
 * The processes of a job. Each hook and the command has a shell that leads a session and a process
 * group. `timeout` and `set -m` create more groups in that session. On Linux, processes that have
 * left the session with `setsid` are found too, by their marks (`processes.ts`).
 */
export function createProcessGroup({ jobId, logFile }: Pick<JobSpec, 'jobId' | 'logFile'>) {
  let log: string | undefined;
  const leaders = new Set<number>();
  let first: Beginning | undefined;
  /** Removes sessions that have no processes, because their IDs may soon be reused. */
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
    add(leader: number): void {
      first ??= { id: leader, at: performance.now() };
      leaders.add(leader);
      log ??= identityOf(logFile);
    },
    signal(name: NodeJS.Signals): void {
      const found = members() ?? [];
      for (const leader of leaders) sendSignal(-leader, name);
      for (const member of found) sendSignal(member, name);
    },
    /** Whether the job has any processes, except zombies. */
    isAlive: (): boolean => (members()?.length ?? leaders.size) > 0,
    /** Whether a process writes its output to this file; true if the system cannot tell. */
    isWritingTo(descriptor: number): boolean {
      const found = members();
      if (found === undefined) return leaders.size > 0;
      const file = fileOf('self', descriptor);
      return found.some((id) => [1, 2].some((stream) => fileOf(id, stream) === file));
    },
  };
}
