import type { Context } from '../../context.ts';
import { CictlError, isServiceError, toExit, usageError } from '../../errors.ts';
import { resolveBuild } from '../../refs/resolve.ts';
import { isFailedJob } from '../../watch/is-failed-job.ts';
import { failedLog, type FailedLog } from './failed-log.ts';
import { logFolder } from './log-folder.ts';
import { logStream, type LogTarget } from './log-stream.ts';
import type { LogInput, LogRequest } from './log-request.ts';
import { logBytes } from './log-view.ts';

/** `--failed`: the logs of all failed jobs, one after the other, or each in a file. */
export async function printFailedLogs(
  request: LogRequest,
  input: LogInput,
  context: Context,
): Promise<void> {
  const { out: folder, server } = input;
  if (request.format === 'html' && folder === undefined) {
    throw usageError('--failed with --format html writes a page each: name a folder with -O');
  }
  const build = await resolveBuild(context, input.build, { mutates: false });
  const { builds } = await context.client();
  const failed = ((await builds.get(build)).jobs ?? []).filter(isFailedJob);
  if (failed.length === 0) context.messages.note('no failed jobs found');
  const target =
    folder === undefined
      ? logStream(request.format, context)
      : await logFolder(folder, request.format, context);
  const view = { ...request, isFollowed: folder === undefined };
  const logs = failed.map((job) =>
    failedLog(build, job, (ref) => logBytes({ ref, job }, view, server, context)),
  );
  await eachLog(logs, target, context);
}

/** What cannot be read of one log is said in its place, and does not hide the others. */
async function eachLog(
  logs: readonly FailedLog[],
  target: LogTarget,
  context: Context,
): Promise<void> {
  const failures: CictlError[] = [];
  for (const log of logs) {
    const failure = await writeOne(log, target).catch((error: unknown) => {
      if (!isOfOneLog(error) || logs.length === 1 || context.signal.aborted) throw error;
      return error;
    });
    if (failure === undefined) continue;
    context.messages.error(failure.message);
    failures.push(failure);
  }
  const [worst] = failures.sort((one, other) => toExit(other) - toExit(one));
  if (worst === undefined) return;
  const message = `${failures.length} of ${logs.length} logs could not be read`;
  throw new CictlError(worst.kind, message, {
    ...(worst.status !== undefined && { status: worst.status }),
  });
}

async function writeOne(log: FailedLog, target: LogTarget): Promise<undefined> {
  const bytes = await log.read().catch(async (error: unknown) => {
    if (isOfOneLog(error)) await target.writeNote(log.job, error.message);
    throw error;
  });
  await target.writeLog(log.job, bytes);
}

/** What is wrong with the request or with this machine is wrong for every log. */
const isOfOneLog = (error: unknown): error is CictlError =>
  isServiceError(error) ||
  (error instanceof CictlError && ['not_found', 'refused'].includes(error.kind));
