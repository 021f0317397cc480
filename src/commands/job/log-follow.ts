/** `job log --follow`: a log as it is written, up to the end of its job. */
import { shownBytes, isEndEnough } from './log-view.ts';
import { buildName, jobName, type JobRef } from '../../api/refs.ts';
import type { Job } from '../../api/resources/job.ts';
import type { Context } from '../../context.ts';
import { CictlError, usageError } from '../../errors.ts';
import type { Stage } from '../../log/stage.ts';
import { createLogPipeline, type LogView } from '../../log/log-pipeline.ts';
import { resolveJobRef } from '../../refs/resolve.ts';
import { growingLog, type GrowingLog, endOfLog, type LogTexts } from '../../api/log-bytes.ts';
import { jobExit } from '../../watch/outcome.ts';
import { poll, longestOutage, createOutageReporter, pollInterval } from '../../watch/poll.ts';
import type { LogInput, LogRequest } from './log-request.ts';

/** The state that one request finds. */
interface JobState {
  readonly job: Job;
  /** Of a job that has ended. */
  readonly exitCode: number | undefined;
  /** Bytes that were new. */
  readonly grown: number;
}

/** Prints the log as it grows; resolves to the outcome of the job as an exit code. */
export async function followJobLog(
  request: LogRequest,
  input: LogInput,
  context: Context,
): Promise<number> {
  const { clock, signal, settings, messages } = context;
  const ref = await resolveJobRef(context, input.job, options(input));
  if (ref.job === settings.jobId)
    throw usageError(`job ${jobName(ref)} is the one that this runs in: it would wait for itself`);
  const outage = createOutageReporter({ note: noteOf(messages) }, context);
  const fetchJob = outage.watched(await createJobPoll(ref, request, context));
  const states = poll(fetchJob, {
    ...{ clock, signal, subject: `job ${jobName(ref)}` },
    ...{
      limits: pollInterval(settings.baseUrl),
      maxOutage: longestOutage(context),
      wasReached: true,
    },
    onError: outage.onError,
    hasChanged: (before, now) => now.grown > 0 || now.job.state !== before.job.state,
  });
  let isReported = false;
  for await (const { job, exitCode } of states) {
    if (exitCode !== undefined) {
      if (exitCode !== 0) messages.note(`job ${jobName(ref)} ${words(job)}`);
      return exitCode;
    }
    if (!isReported && !hasBegun(job)) messages.note(`job ${jobName(ref)} ${words(job)}: waiting`);
    isReported = true;
  }
  throw new Error('a poll has no end of its own');
}

const noteOf =
  (messages: Context['messages']) =>
  (line: string): Promise<void> => {
    messages.note(line);
    return Promise.resolve();
  };

const options = ({ build }: LogInput) => ({
  mutates: false,
  candidates: { word: 'unfinished', test: isUnfinished },
  ...(build !== undefined && { build }),
});

const isUnfinished = (job: Job): boolean =>
  (job.type ?? 'script') === 'script' && jobExit(job) === undefined;

const words = ({ state }: Job): string => `is ${(state ?? 'unknown').replaceAll('_', ' ')}`;

/** Before that there is no log to request. */
const hasBegun = ({ started_at: started, state }: Job): boolean =>
  Boolean(started) || begun.has(state ?? '');

const begun = new Set(['running', 'canceling', 'timing_out']);

/** The job first, then its log: once the job has ended, the log is complete. */
async function createJobPoll(
  ref: JobRef,
  request: LogRequest,
  context: Context,
): Promise<() => Promise<JobState>> {
  const { builds, jobs } = await context.client();
  const log = growing(jobs, ref, request, context);
  const printer = await createPrinter(request, context);
  return async () => {
    const { jobs } = await builds.get(ref, { includeRetriedJobs: true });
    const job = (jobs ?? []).find(({ id }) => id === ref.job);
    if (job === undefined) throw noSuchJob(ref);
    const exitCode = jobExit(job);
    const isRead = exitCode !== undefined || hasBegun(job);
    const grown = isRead ? await printer.print(log) : 0;
    if (exitCode !== undefined) await printer.end();
    return { job, exitCode, grown };
  };
}

const noSuchJob = (ref: JobRef): CictlError =>
  new CictlError('not_found', `build ${buildName(ref)} has no job ${JSON.stringify(ref.job)}`, {
    hint: `cictl job list ${buildName(ref)}`,
  });

function growing(
  jobs: LogTexts,
  ref: JobRef,
  request: LogRequest,
  { messages }: Context,
): GrowingLog {
  const { tail } = request;
  return growingLog({
    read: (range) => jobs.logText(ref, range === undefined ? {} : { range }),
    ...(tail !== undefined && isEndEnough(request) && { first: () => endOfLog(jobs, ref, tail) }),
    onShrunk: (before, now) => {
      const what = now === 0 ? 'was deleted' : `shrank from ${before} to ${now} bytes`;
      messages.warn(`the log of job ${jobName(ref)} ${what}: what comes now begins anew`);
    },
  });
}

interface Printer {
  /** Prints what is new; resolves to its number of bytes. */
  readonly print: (log: GrowingLog) => Promise<number>;
  /** Prints what is still buffered. */
  readonly end: () => Promise<void>;
}

async function createPrinter(request: LogRequest, { out }: Context): Promise<Printer> {
  let hasCaughtUp = false;
  const stage: Stage<Uint8Array> = await createLogPipeline({
    ...request,
    format: request.format as LogView['format'],
    group: undefined,
    growing: { caughtUp: () => hasCaughtUp },
  });
  const write = async (piece: string): Promise<void> => {
    if (piece === '') return;
    const bytes = await shownBytes(once(Buffer.from(piece, 'latin1')), request.format, out);
    for await (const chunk of bytes) await out.write(chunk);
  };
  return {
    print: async ({ readNew }) => {
      let size = 0;
      for await (const chunk of readNew()) {
        size += chunk.length;
        await write(stage.push(chunk));
      }
      hasCaughtUp = true;
      await write(stage.push(new Uint8Array()));
      return size;
    },
    end: () => write(stage.end()),
  };
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  yield await Promise.resolve(bytes);
}
