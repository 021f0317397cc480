import { systemClock, startTimer } from '../../common/clock.ts';
import type { ProcessGroup } from './process-group.ts';

export type StopReason = 'cancel' | 'timeout' | 'agent_stop' | 'process_run_error';

/** Milliseconds between TERM and KILL. */
const grace = 10_000;
/** Milliseconds for the last hooks if the command has used up that time. */
const lastGrace = 5_000;
/** Milliseconds; grows. There is no event for the end of processes that are not children. */
const pollInterval = { first: 10, longest: 200 };
/** Polls after KILL until a process that does not exit is ignored. */
const maxPolls = 20;

export interface Stopper {
  /** The first reason given. */
  readonly reason: StopReason | null;
  /** Whether another process may be started. */
  readonly allowsStart: boolean;
  /** Aborted with the first reason. */
  readonly signal: AbortSignal;
  /** Adds a session of the job, and stops it if the job has been stopped. */
  attach(leader: number): void;
  /** The job has ended: its process IDs may be reused, so they get no more signals. */
  detach(): void;
  /** Sends TERM to all processes of the job, and KILL ten seconds later. */
  terminate(reason: StopReason): void;
  /** Sends KILL to all processes of the job. */
  kill(reason: StopReason): void;
  /** Called when all processes have ended. Returns whether the last hooks may run. */
  beginLast(): boolean;
  isAnyLeft(): boolean;
  /** Sends TERM to background processes of the job, and KILL after `ms`. */
  sweep(ms: number): Promise<void>;
  /** Resolves when no process of the job is left. */
  waitForExit(): Promise<void>;
  /** Resolves when no process of the job has this file as its output. */
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
        // Repeated, because a process may have been started while the list was made.
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

/** Replaced by tests. */
export interface Timers {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Runs `act` after `ms` milliseconds; returns a function that cancels it. */
  after(ms: number, act: () => void): () => void;
}

export const systemTimers: Timers = {
  now: () => Date.now(),
  after(ms, act) {
    const timer = startTimer(ms, act);
    return () => timer.stop();
  },
};
