/** `job log --follow`: prints a log as it grows, until the job has finished. */
import { endOfLog, growingLog, type GrowingLog } from '../../api/log-bytes.ts';
import { buildName, jobName, type JobRef } from '../../api/refs.ts';
import type { Job } from '../../api/resources/job.ts';
import type { Context } from '../../context.ts';
import { CictlError, usageError } from '../../errors.ts';
import { createLogPipeline, type LogView } from '../../log/log-pipeline.ts';
import type { Stage } from '../../log/stage.ts';
import { resolveJobRef } from '../../refs/resolve.ts';
import { jobExit } from '../../watch/outcome.ts';
import { createOutageReporter, longestOutage, poll, pollInterval } from '../../watch/poll.ts';
import { once } from '../async.ts';
import type { LogInput, LogRequest } from './log-request.ts';
import { isEndEnough, shownBytes } from './log-view.ts';

/** Resolves to the exit code that represents the outcome of the job. */
export async function followJobLog(
  request: LogRequest,
  input: LogInput,
  context: Context,
): Promise<number> {
  const { clock, signal, settings, messages } = context;
  const ref = await resolveJobRef(context, input.job, {
    mutates: false,
    candidates: { word: 'unfinished', test: isUnfinished },
    build: input.build,
  });
  if (ref.job === settings.jobId)
    throw usageError(
      `cannot follow job ${jobName(ref)} from inside it: the job would wait for itself`,
    );
  const note = (line: string): Promise<void> => {
    messages.note(line);
    return Promise.resolve();
  };
  const outage = createOutageReporter({ note }, context);
  const states = poll(outage.watched(await createJobPoll(ref, request, context)), {
    ...{ clock, signal, subject: `job ${jobName(ref)}` },
    limits: pollInterval(settings.baseUrl),
    maxOutage: longestOutage(context),
    wasReached: true,
    onError: outage.onError,
    hasChanged: (before, now) => now.grown > 0 || now.job.state !== before.job.state,
  });
  let isReported = false;
  for await (const { job, exitCode } of states) {
    const state = `is ${(job.state ?? 'unknown').replaceAll('_', ' ')}`;
    if (exitCode !== undefined) {
      if (exitCode !== 0) messages.note(`job ${jobName(ref)} ${state}`);
      return exitCode;
    }
    if (!isReported && !hasBegun(job))
      messages.note(`job ${jobName(ref)} ${state}, waiting for it to start`);
    isReported = true;
  }
  throw new Error('the poll ended without a result');
}

const isUnfinished = (job: Job): boolean =>
  (job.type ?? 'script') === 'script' && jobExit(job) === undefined;

/** A job that has not started has no log yet. */
const hasBegun = ({ started_at: started, state }: Job): boolean =>
  Boolean(started) || ['running', 'canceling', 'timing_out'].includes(state ?? '');

/**
 * Requests the job before its log, so that the log of a finished job is complete. Each poll
 * resolves to the job, its exit code if it has finished, and the number of new bytes.
 */
async function createJobPoll(ref: JobRef, request: LogRequest, context: Context) {
  const { builds, jobs } = await context.client();
  const { tail } = request;
  const log = growingLog({
    read: (range) => jobs.logText(ref, range === undefined ? {} : { range }),
    ...(tail !== undefined && isEndEnough(request) && { first: () => endOfLog(jobs, ref, tail) }),
    onShrunk: (before, now) => {
      const what = now === 0 ? 'was deleted' : `shrank from ${before} to ${now} bytes`;
      context.messages.warn(`the log of job ${jobName(ref)} ${what}; printing it from the start`);
    },
  });
  const printer = await createPrinter(request, context);
  return async () => {
    const { jobs } = await builds.get(ref, { includeRetriedJobs: true });
    const job = (jobs ?? []).find(({ id }) => id === ref.job);
    if (job === undefined) {
      const message = `build ${buildName(ref)} has no job ${JSON.stringify(ref.job)}`;
      throw new CictlError('not_found', message, { hint: `cictl job list ${buildName(ref)}` });
    }
    const exitCode = jobExit(job);
    const isRead = exitCode !== undefined || hasBegun(job);
    const grown = isRead ? await printer.print(log) : 0;
    if (exitCode !== undefined) await printer.end();
    return { job, exitCode, grown };
  };
}

async function createPrinter(request: LogRequest, { out }: Context) {
  let hasCaughtUp = false;
  const stage: Stage<Uint8Array> = await createLogPipeline({
    ...request,
    format: request.format as LogView['format'],
    group: undefined,
    growing: { caughtUp: () => hasCaughtUp },
  });
  const write = async (text: string): Promise<void> => {
    if (text === '') return;
    const bytes = await shownBytes(once(Buffer.from(text, 'latin1')), request.format, out);
    for await (const chunk of bytes) await out.write(chunk);
  };
  return {
    /** Prints the new part; resolves to its number of bytes. */
    print: async ({ readNew }: GrowingLog): Promise<number> => {
      let size = 0;
      for await (const chunk of readNew()) {
        size += chunk.length;
        await write(stage.push(chunk));
      }
      hasCaughtUp = true;
      await write(stage.push(new Uint8Array()));
      return size;
    },
    /** Prints the text that is still buffered. */
    end: () => write(stage.end()),
  };
}
