import type { Build } from '../api/resources/build.ts';
import type { Job } from '../api/resources/job.ts';
import { type GrowingLogOptions, growingLog, endOfLog } from '../api/log-bytes.ts';
import { jobExit } from './outcome.ts';
import type { Event } from './changes.ts';
import type { Clock } from '../common/clock.ts';
import type { Keep } from '../log/sequences.ts';
import { settle } from '../log/settle.ts';
import { chain, pump } from '../log/stage.ts';
import { standalone } from '../log/style.ts';
import { jobName, type BuildRef } from '../api/refs.ts';
import type { Client } from '../api/client.ts';
import type { Context } from '../context.ts';
import { CictlError } from '../errors.ts';
import { tail } from '../log/head-tail.ts';
import { withHeaderEmojis } from '../render/shortcodes.ts';
import { prefixLines, shortName } from './job-names.ts';
import { viewKind, type View } from './view.ts';

export interface JobLogsOptions {
  readonly read: (
    jobId: string,
    range: string | undefined,
  ) => ReturnType<GrowingLogOptions['read']>;
  /** Prints a log as it arrives. Resolves at the end of the log */
  readonly print: (job: Job, log: AsyncIterable<Uint8Array>, build: Build) => Promise<void>;
  readonly clock: Clock;
  readonly pause: number;
  /** Whether the job is known to have had no output at the time of its report */
  readonly isSilent?: ((job: Job) => boolean) | undefined;
}

export interface JobLogs {
  /** Resolves when the log of a finished job is printed. Throws the first error of any log */
  readonly report: (event: Event) => Promise<void>;
  readonly close: () => Promise<void>;
}

export function jobLogs(options: JobLogsOptions): JobLogs {
  const { read, print, clock, pause, isSilent } = options;
  const logs = new Map<string, ReturnType<typeof begin>>();
  const errors: unknown[] = [];
  function begin(job: Job, id: string, build: Build) {
    const ended = new AbortController();
    const state = { isSilent: isSilent?.(job) === true, ended };
    const log = followLog({
      ...{ read: (range) => read(id, range), ended: ended.signal, clock, pause },
      isSilent: () => state.isSilent,
    });
    // Errors are stored, because nothing awaits the log of a running job.
    const printed = print(job, log, build).catch((error: unknown) => void errors.push(error));
    return Object.assign(state, { printed });
  }
  return {
    report: async (event) => {
      if (event.event === 'job' && hasLog(event.job)) {
        const { job, build } = event;
        const id = job.id ?? '';
        const hasEnded = jobExit(job) !== undefined;
        const silent = isSilent?.(job) === true;
        const known = logs.get(id);
        if (known !== undefined || !hasEnded || !silent) {
          const followed = known ?? begin(job, id, build);
          logs.set(id, followed);
          followed.isSilent = silent;
          if (hasEnded) followed.ended.abort();
          if (hasEnded) await followed.printed;
        }
      }
      if (errors.length > 0) throw errors[0];
    },
    close: async () => {
      for (const followed of logs.values()) {
        // A job that had no output when it was reported may have written some since then.
        if (!followed.ended.signal.aborted) followed.isSilent = false;
        followed.ended.abort();
      }
      await Promise.all([...logs.values()].map(({ printed }) => printed));
    },
  };
}

/** A job has a log if an agent started it; a trigger job, if the service says why it ended. */
const hasLog = (job: Job): boolean =>
  job.type === 'trigger'
    ? Boolean(job.log_url) && jobExit(job) !== undefined
    : job.type === 'script' && Boolean(job.started_at);

interface FollowedLog extends GrowingLogOptions {
  /** Aborted when the job has finished. The log is then read once more, to its end */
  readonly ended: AbortSignal;
  readonly clock: Clock;
  readonly pause: number;
  /** Whether the job is known to have had no output, when it started or when it ended */
  readonly isSilent?: (() => boolean) | undefined;
}

/** Yields each byte of a job's log once, until the job has finished. */
export async function* followLog(log: FollowedLog): AsyncGenerator<Uint8Array> {
  const { readNew } = growingLog(log);
  for (let isFirst = true; ; isFirst = false) {
    const isLast = log.ended.aborted;
    if (!(isFirst || isLast) || log.isSilent?.() !== true) yield* readNew();
    if (isLast) return;
    await log.clock.sleep(log.pause, log.ended).catch(ignoreEnd);
  }
}

const ignoreEnd = (): undefined => undefined;

/** Passes lines on immediately, although the cursor could still return to them. */
export async function* settledLines(
  log: AsyncIterable<Uint8Array>,
  keep: Keep,
): AsyncGenerator<string> {
  const alone = keep.colours === true ? [standalone()] : [];
  for await (const lines of pump(log, chain(settle(keep, 1), ...alone))) yield lines.toString();
}

const lineCount = 20;

/** For `--logs`: shows the end of each failed job's log once. Prints a note if that fails. */
export function createFailedLogTails(
  client: Client,
  ref: BuildRef,
  view: View,
  context: Context,
): (event: Event) => Promise<void> {
  const shown = new Set<string>();
  return async (event) => {
    if (event.event !== 'job' || !hasFailed(event.job)) return;
    const { id } = event.job;
    if (!id || shown.has(id)) return;
    shown.add(id);
    try {
      const text = await endOf(client, { ...ref, job: id }, context);
      if (text !== '') await view.show(prefixLines(text, shortName(event.job)));
    } catch (error) {
      if (!(error instanceof CictlError) || context.signal.aborted) throw error;
      await view.note(`no log for ${jobName({ ...ref, job: id })}: ${error.message}`);
    }
  };
}

/** A job has no log if no agent has started it. */
const hasFailed = (job: Job): boolean =>
  jobExit({ ...job, soft_failed: false }) === 1 && Boolean(job.started_at);

async function endOf(
  { jobs }: Client,
  ref: BuildRef & { readonly job: string },
  { out }: Context,
): Promise<string> {
  const isLive = viewKind(out) === 'live';
  const colours = isLive && out.color.bold('x') !== 'x';
  const log = (await endOfLog(jobs, ref, lineCount)).body;
  const chunks: Uint8Array[] = [];
  for await (const chunk of pump(log, chain(settle({ colours }), standalone(), tail(lineCount))))
    chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  return isLive ? withHeaderEmojis(text) : text;
}
