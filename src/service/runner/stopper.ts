import { systemClock, startTimer } from '../../common/clock.ts';
import type { ProcessGroup } from './process-group.ts';

/** Why a job is stopped before its time. */
export type StopReason = 'cancel' | 'timeout' | 'agent_stop' | 'process_run_error';

/** Milliseconds between TERM and KILL, for all that a job still has to do. */
const grace = 10_000;
/** Milliseconds that its last hooks get where the command has used up that time. */
const lastGrace = 5_000;
/** Milliseconds between two looks whether processes are left, growing: there is no event for it. */
const pollInterval = { first: 10, longest: 200 };
/** Looks after KILL, before a process that even this does not end is given up. */
const maxPolls = 20;

/** Stops the processes of a job: once in order, or at once. */
export interface Stopper {
  /** The first reason given. */
  readonly reason: StopReason | null;
  /** Whether a further process may begin. */
  readonly allowsStart: boolean;
  /** Aborted with the first reason: for what has no process. */
  readonly signal: AbortSignal;
  /** A process leads a session of the job; what was asked for before takes effect now. */
  attach(leader: number): void;
  /** The job is over; its process ids may soon be those of others, and get nothing any more. */
  detach(): void;
  /** TERM to all of its processes, ten seconds later KILL. */
  terminate(reason: StopReason): void;
  /** KILL to all of its processes. */
  kill(reason: StopReason): void;
  /** All processes have ended, and the last hooks may run; false where there is no time for them. */
  beginLast(): boolean;
  /** Whether any process of the job is left. */
  isAnyLeft(): boolean;
  /** What the job left behind when its shell had ended: TERM, then KILL after `ms`. */
  sweep(ms: number): Promise<void>;
  /** Resolves when no process is left. */
  waitForExit(): Promise<void>;
  /** Resolves when no process is left that has this file as its output. */
  waitForSilence(descriptor: number): Promise<void>;
}

export function createStopper(processes: ProcessGroup, timers: Timers): Stopper {
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
  const end = (ms: number): void => {
    if (sent !== null) return;
    send('SIGTERM');
    killAfter(ms);
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
        // Once more: a process may have been started while the list was made.
        group.signal('SIGKILL');
      }
      await systemClock.sleep(interval);
      interval = Math.min(interval * 1.5, pollInterval.longest);
    }
  };
  const waitForExit = (): Promise<void> => waitWhile((processes) => processes.isAlive());
  return {
    get reason() {
      return reason;
    },
    get allowsStart() {
      return sent === null || (isLast && sent === 'SIGTERM');
    },
    signal: abort.signal,
    attach(leader) {
      group?.add(leader);
      if (sent === 'SIGKILL' || (sent !== null && !isLast)) group?.signal(sent);
    },
    detach() {
      cancelTimer();
      group = undefined;
    },
    terminate(why) {
      stop(why);
      end(grace);
    },
    kill(why) {
      stop(why);
      cancelTimer();
      isUrgent = true;
      send('SIGKILL');
    },
    beginLast() {
      isLast = true;
      if (isUrgent) return false;
      if (sent === 'SIGKILL') {
        sent = 'SIGTERM';
        killAfter(lastGrace);
      }
      return true;
    },
    isAnyLeft: () => group?.isAlive() === true,
    async sweep(ms) {
      if (sent !== 'SIGKILL' && group?.isAlive() === true) {
        send('SIGTERM');
        killAfter(ms);
      }
      await waitForExit();
      cancelTimer();
    },
    waitForExit,
    waitForSilence: (descriptor) => waitWhile((processes) => processes.isWritingTo(descriptor)),
  };
}

/** Time for the runner. Injected by tests, which then need not wait. */
export interface Timers {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Runs `act` after `ms` milliseconds; the function that comes back calls it off. */
  after(ms: number, act: () => void): () => void;
}

export const systemTimers: Timers = {
  now: () => Date.now(),
  after(ms, act) {
    const timer = startTimer(ms, act);
    return () => timer.stop();
  },
};
