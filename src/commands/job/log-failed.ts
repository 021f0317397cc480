import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';
import type { Context } from '../../context.ts';
import { CictlError, isServiceError, toExit, usageError } from '../../errors.ts';
import { resolveBuild } from '../../refs/resolve.ts';
import { isFailedJob } from '../../watch/outcome.ts';
import type { LogInput, LogRequest } from './log-request.ts';
import { logBytes, readText, shownBytes, filteredBytes } from './log-view.ts';
import type { Bytes } from '../../api/log-bytes.ts';
import { jobName, type BuildRef, type JobRef } from '../../api/refs.ts';
import type { Job } from '../../api/resources/job.ts';
import { idOf } from '../../refs/find-job.ts';
import { cleanLine } from '../../common/untrusted-text.ts';
import { emojisFor } from '../../render/shortcodes.ts';
import type { LogFormat } from './index.ts';
import { makeFolder } from '../../common/write-files.ts';
import { writeWholeFile } from '../write-whole-file.ts';

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

// The log of a failed job, which may be without one, or have an id that leads nowhere.

interface FailedLog {
  readonly job: Job;
  readonly read: () => Promise<Bytes>;
}

/** Reading it throws an error that says of which job there is no log, and why. */
const failedLog = (
  build: BuildRef,
  job: Job,
  readLog: (ref: JobRef) => Promise<Bytes>,
): FailedLog => ({
  job,
  read: async () => {
    const ref = { ...build, job: usableId(job) };
    return readLog(ref).catch((error: unknown) => {
      throw isNoLog(error) ? noLog(ref, error) : error;
    });
  },
});

const nameOf = (job: Job): string => cleanLine(job.name ?? job.label ?? job.step_key ?? 'job');

function usableId(job: Job): string {
  try {
    return idOf(job);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : '';
    const message = `cannot read the log of ${JSON.stringify(nameOf(job))}: ${reason}`;
    throw new CictlError('invalid_response', message, { cause });
  }
}

/** The job is there, as its build has it; one that expired, for example, has never written. */
const isNoLog = (error: unknown): error is CictlError =>
  error instanceof CictlError &&
  error.status === 404 &&
  !/^No (organization|pipeline|build) found/i.test(error.serviceMessage ?? '');

function noLog(ref: JobRef, cause: CictlError): CictlError {
  const { serviceMessage = '' } = cause;
  const isPlain = /^(not found|no \w+ found)?\.?$/i.test(serviceMessage);
  const more = isPlain ? '' : ` (${serviceMessage})`;
  const message = `cannot read the log of job ${jobName(ref)}: it has no log${more}`;
  return new CictlError('not_found', message, {
    ...{ status: 404, cause },
    ...(serviceMessage !== '' && { serviceMessage }),
  });
}

/** Takes the logs of several jobs. */
interface LogTarget {
  readonly writeLog: (job: Job, bytes: Bytes) => Promise<void>;
  /** Why there is no log, in its place. */
  readonly writeNote: (job: Job, reason: string) => Promise<void>;
}

/** The logs one after the other with a header before each; JSON is nothing but the objects. */
const logStream = (format: LogFormat, { out, settings }: StreamParts): LogTarget =>
  format === 'json' ? objects(out, settings.jq !== undefined) : texts(out, format);

type StreamParts = Pick<Context, 'out' | 'settings'>;

const objects = (out: Context['out'], isProgram: boolean): LogTarget => ({
  async writeLog(_, bytes) {
    if (isProgram) await out.document(await readText(bytes));
    else for await (const chunk of bytes) await out.write(chunk);
  },
  writeNote: () => Promise.resolve(),
});

function texts(out: Context['out'], format: LogFormat): LogTarget {
  const lines = lineWriter(out);
  return {
    async writeLog(job, bytes) {
      await lines.writeLine(await header(job, out));
      for await (const chunk of await shownBytes(bytes, format, out)) await lines.write(chunk);
    },
    async writeNote(job, reason) {
      await lines.writeLine(await header(job, out));
      await lines.writeLine(`(${cleanLine(reason)})`);
    },
  };
}

async function header(job: Job, { isTerminal }: Context['out']): Promise<string> {
  const name = nameOf(job);
  const shown = isTerminal ? (await emojisFor([name]))(name) : name;
  return `==> ${shown} (${cleanLine(job.id ?? '')}) <==`;
}

/** Lines of our own among the output of logs, which may end, or break off, inside a line. */
function lineWriter(out: Context['out']) {
  let atLineStart = true;
  return {
    write: async (chunk: Uint8Array): Promise<void> => {
      await out.write(chunk);
      atLineStart = (chunk.at(-1) ?? (atLineStart ? newline : undefined)) === newline;
    },
    writeLine: async (line: string): Promise<void> => {
      await out.write(`${atLineStart ? '' : '\n'}${line}\n`);
      atLineStart = true;
    },
  };
}

const newline = 0x0a;

/** A folder with a file for each log; there is none where there is no log. */
async function logFolder(folder: string, format: LogFormat, context: Context): Promise<LogTarget> {
  const path = resolve(context.cwd, folder);
  await makeFolder(path).catch((error: unknown) => {
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new CictlError('machine', `cannot make the folder ${folder}: ${code}`, { cause: error });
  });
  const suffix = format === 'html' || format === 'json' ? format : 'log';
  return {
    writeLog: async (job, bytes) =>
      writeWholeFile(
        join(path, `${fileName(job)}.${suffix}`),
        await filteredBytes(bytes, context),
        context,
      ),
    writeNote: () => Promise.resolve(),
  };
}

/** `rspec-3f0e…`: of the name only what any file system takes. */
function fileName(job: Job): string {
  const slug = nameOf(job)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60);
  return [slug, idInName(job.id ?? '')].filter((part) => part !== '').join('-');
}

/** The id, else one of its own for each: two that differ in case alone are one name to some disks. */
const idInName = (id: string): string =>
  /^[a-z0-9-]{1,64}$/.test(id) ? id : createHash('sha256').update(id).digest('hex').slice(0, 32);
