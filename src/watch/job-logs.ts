/** The logs of several jobs at once, printed as they grow. */
import type { Build } from '../api/resources/build.ts';
import type { Job } from '../api/resources/job.ts';
import type { GrowingLogOptions } from '../api/log-bytes.ts';
import { followLog } from './follow-log.ts';
import { jobExit } from './outcome.ts';
import type { Event } from './changes.ts';
import type { Clock } from '../clock.ts';

export interface JobLogsOptions {
  readonly read: (
    jobId: string,
    range: string | undefined,
  ) => ReturnType<GrowingLogOptions['read']>;
  /** Prints a log as it comes; resolves when the log has ended. */
  readonly print: (job: Job, log: AsyncIterable<Uint8Array>, build: Build) => Promise<void>;
  readonly clock: Clock;
  /** Milliseconds between two requests for one log. */
  readonly pause: number;
  /** Whether it is known that a job had written nothing when it was reported. */
  readonly isSilent?: ((job: Job) => boolean) | undefined;
}

export interface JobLogs {
  /**
   * Begins with the log of a job that runs; for one that has ended, resolves when its log is
   * printed to the end. Throws the first error of any log.
   */
  readonly report: (event: Event) => Promise<void>;
  /** Prints what is left of all logs. */
  readonly close: () => Promise<void>;
}

type JobEvent = { readonly job: Job; readonly build: Build };

interface Followed {
  /** Of the job as it was reported last. */
  isSilent: boolean;
  readonly ended: AbortController;
  readonly printed: Promise<void>;
}

export function jobLogs(options: JobLogsOptions): JobLogs {
  const logs = new Map<string, Followed>();
  const errors: unknown[] = [];
  const follow = ({ job, build }: JobEvent, id: string): Followed => {
    const followed = logs.get(id) ?? begin({ job, build }, id, options, errors);
    logs.set(id, followed);
    return followed;
  };
  const finish = async ({ ended, printed }: Followed): Promise<void> => {
    ended.abort();
    await printed;
  };
  const isUnwritten = (job: Job): boolean =>
    !logs.has(job.id ?? '') && jobExit(job) !== undefined && options.isSilent?.(job) === true;
  return {
    report: async (event) => {
      if (event.event === 'job' && hasLog(event.job) && !isUnwritten(event.job)) {
        const followed = follow(event, event.job.id ?? '');
        followed.isSilent = options.isSilent?.(event.job) === true;
        if (jobExit(event.job) !== undefined) await finish(followed);
      }
      if (errors.length > 0) throw errors[0];
    },
    close: async () => {
      for (const followed of logs.values()) unlessEnded(followed);
      await Promise.all([...logs.values()].map(finish));
    },
  };
}

/** What was silent when it was reported may have written since. */
function unlessEnded(followed: Followed): void {
  if (!followed.ended.signal.aborted) followed.isSilent = false;
}

function begin(
  { job, build }: JobEvent,
  id: string,
  { read, print, clock, pause, isSilent }: JobLogsOptions,
  errors: unknown[],
): Followed {
  const ended = new AbortController();
  const state = { isSilent: isSilent?.(job) === true, ended };
  const log = followLog({
    ...{ read: (range) => read(id, range), ended: ended.signal, clock, pause },
    isSilent: () => state.isSilent,
  });
  // Kept, not thrown: nobody waits for a log while its job runs.
  const printed = print(job, log, build).catch((error: unknown) => void errors.push(error));
  return Object.assign(state, { printed });
}

/** What an agent has begun to run has one, and a trigger where the service says why it ended so. */
const hasLog = (job: Job): boolean =>
  job.type === 'trigger'
    ? Boolean(job.log_url) && jobExit(job) !== undefined
    : job.type === 'script' && Boolean(job.started_at);
