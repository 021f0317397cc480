import { systemClock } from '../../clock.ts';
import type { ProcessGroup } from './process-group.ts';
import type { Timers } from './timers.ts';

/** Why a job is stopped before its time. */
export type StopReason = 'cancel' | 'timeout' | 'agent_stop' | 'process_run_error';

/** Milliseconds between TERM and KILL. */
const grace = 10_000;
/** Milliseconds between two looks whether processes are left, growing: there is no event for it. */
const pollInterval = { first: 10, longest: 200 };
/** Looks after KILL, before a process that even this does not end is given up. */
const maxPolls = 20;

/** Stops the processes of a job: once in order, or at once. */
export interface Stopper {
  /** The first reason given. */
  readonly reason: StopReason | null;
  /** The job runs; what was asked for before takes effect now. */
  attach(group: ProcessGroup): void;
  /** The job is over; its process ids may soon be those of others, and get nothing any more. */
  detach(): void;
  /** TERM to all of its processes, ten seconds later KILL. */
  terminate(reason: StopReason): void;
  /** KILL to all of its processes. */
  kill(reason: StopReason): void;
  /** What the job left behind when its shell had ended: TERM, then KILL after `ms`. */
  sweep(ms: number): Promise<void>;
  /** Resolves when no process is left. */
  waitForExit(): Promise<void>;
}

export function createStopper(timers: Timers): Stopper {
  let group: ProcessGroup | undefined;
  let reason: StopReason | null = null;
  let sent: 'SIGTERM' | 'SIGKILL' | null = null;
  let cancelTimer = (): void => undefined;

  const send = (signal: 'SIGTERM' | 'SIGKILL'): void => {
    sent = signal;
    group?.signal(signal);
  };
  const end = (ms: number): void => {
    if (sent !== null) return;
    send('SIGTERM');
    cancelTimer = timers.after(ms, () => send('SIGKILL'));
  };
  const waitForExit = async (): Promise<void> => {
    let interval = pollInterval.first;
    for (let polls = 0; polls < maxPolls && group?.isAlive() === true;) {
      if (sent === 'SIGKILL') {
        polls++;
        // Once more: a process may have been started while the list was made.
        group.signal('SIGKILL');
      }
      await systemClock.sleep(interval);
      interval = Math.min(interval * 1.5, pollInterval.longest);
    }
    cancelTimer();
  };
  return {
    get reason() {
      return reason;
    },
    attach(running) {
      group = running;
      if (sent !== null) group.signal(sent);
    },
    detach() {
      cancelTimer();
      group = undefined;
    },
    terminate(why) {
      reason ??= why;
      end(grace);
    },
    kill(why) {
      reason ??= why;
      cancelTimer();
      send('SIGKILL');
    },
    async sweep(ms) {
      if (group?.isAlive() === true) end(ms);
      await waitForExit();
    },
    waitForExit,
  };
}
