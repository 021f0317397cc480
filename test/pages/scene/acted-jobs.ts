/** Simulated jobs: they take the time and write the log that their step's environment specifies. */
import { appendFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JobSpec, Outcome, Runner } from '../../../src/service/runner-port.ts';
import { logOf } from './logs.ts';

export interface ActedJobs {
  readonly runner: Runner;
  readonly clock: { now(): number; set(time: number): void };
  /**
   * Finishes running jobs in the order in which they are due, until none is left or until that
   * time.
   */
  act(until?: number): Promise<void>;
}

interface Acted {
  readonly spec: JobSpec;
  readonly due: number;
  readonly finish: (outcome: Outcome) => void;
}

const passed: Outcome = { exitStatus: 0, signal: null, signalReason: null, timedOut: false };
const canceled: Outcome = { ...passed, exitStatus: -1, signal: 'SIGTERM', signalReason: 'cancel' };

/** The number of concurrent jobs. */
export const slots = 100;

/** Logs by name, as byte strings. */
export type Logs = Readonly<Record<string, string>>;

/** The numbers of running and scheduled jobs according to the service. */
export type Counts = () => Promise<{ readonly running: number; readonly scheduled: number }>;

/** `start` is the initial time. */
export function actJobs(start: string, counts: Counts, logs: Logs = {}): ActedJobs {
  let now = Date.parse(start);
  const acted = new Set<Acted>();

  function finish(job: Acted, outcome: Outcome): void {
    if (!acted.delete(job)) return;
    appendFileSync(job.spec.logFile, textOf(job, outcome));
    job.finish(outcome);
  }
  function textOf({ spec: { env } }: Acted, { exitStatus }: Outcome): Buffer {
    const { LOG: name = 'passing' } = env;
    const log = Object.hasOwn(logs, name) ? logs[name] : undefined;
    return log === undefined
      ? Buffer.from(logOf(name, now, exitStatus))
      : Buffer.from(log, 'latin1');
  }
  /** Waits until all jobs that follow from the last finished one have started. */
  async function settled(): Promise<void> {
    for (;;) {
      const { running, scheduled } = await counts();
      if (running === acted.size && (scheduled === 0 || running === slots)) return;
      await sleep(1);
    }
  }
  return {
    clock: { now: () => now, set: (time) => void (now = time) },
    runner: {
      start(spec) {
        writeFileSync(spec.logFile, logOf('start', now, 0));
        let resolve: (outcome: Outcome) => void = () => undefined;
        const done = new Promise<Outcome>((settle) => (resolve = settle));
        const job = { spec, due: now + takes(spec), finish: resolve };
        acted.add(job);
        const end = (): void => finish(job, canceled);
        const environment = { get: () => spec.env, set: () => undefined, unset: () => undefined };
        return { done, environment, redact: () => undefined, cancel: end, kill: end };
      },
    },
    async act(until = Infinity) {
      for (;;) {
        await settled();
        const due = Math.min(...[...acted].map((job) => job.due));
        if (due === Infinity || due > until) break;
        now = Math.max(now, due);
        for (const job of acted)
          if (job.due <= now) finish(job, { ...passed, exitStatus: exitStatus(job.spec) });
      }
      if (until !== Infinity) now = until;
    },
  };
}

/** In milliseconds. */
const takes = ({ env }: JobSpec): number => Number(env['TAKES'] ?? 5) * 1000;

/**
 * `EXIT`: `N`, `N once` for the first execution only, or `N on INDEX` for one of the parallel jobs.
 */
function exitStatus({ env }: JobSpec): number {
  const [status, when, index] = (env['EXIT'] ?? '').split(' ');
  const isSpared =
    (when === 'once' && env['BUILDKITE_RETRY_COUNT'] !== '0') ||
    (when === 'on' && env['BUILDKITE_PARALLEL_JOB'] !== index);
  return isSpared ? 0 : Number(status);
}
