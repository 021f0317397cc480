/** `job log --failed`: prints the logs of all failed jobs, or writes each to a file. */
import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { Bytes } from '../../api/log-bytes.ts';
import { jobName, type BuildRef, type JobRef } from '../../api/refs.ts';
import type { Job } from '../../api/resources/job.ts';
import { cleanLine } from '../../common/untrusted-text.ts';
import type { Context } from '../../context.ts';
import { CictlError, isServiceError, usageError } from '../../errors.ts';
import { idOf } from '../../refs/find-job.ts';
import { resolveBuild } from '../../refs/resolve.ts';
import { emojisFor } from '../../render/shortcodes.ts';
import { isFailedJob } from '../../watch/outcome.ts';
import { summarize } from '../change-all.ts';
import { makeOutFolder, writeWholeFile } from '../write-whole-file.ts';
import type { LogFormat } from './index.ts';
import type { LogInput, LogRequest } from './log-request.ts';
import { logBytes, shownBytes, filteredBytes } from './log-view.ts';

export async function printFailedLogs(
  request: LogRequest,
  input: LogInput,
  context: Context,
): Promise<void> {
  const { out: folder, server } = input;
  const { format } = request;
  if (format === 'html' && folder === undefined)
    throw usageError(
      '--failed with --format html writes one page per job: give a directory with --out',
      `cictl job log --failed --build ${input.build ?? 'BUILD'} --format html --out logs`,
    );
  const build = await resolveBuild(context, input.build, { mutates: false });
  const { builds } = await context.client();
  const failed = ((await builds.get(build)).jobs ?? []).filter(isFailedJob);
  if (failed.length === 0) context.messages.note('no failed jobs found');
  const target = await targetFor(folder, format, context);
  const view = { ...request, isFollowed: folder === undefined };
  const failures: CictlError[] = [];
  for (const job of failed) {
    try {
      await writeLog(build, job, (ref) => logBytes({ ref, job }, view, server, context), target);
    } catch (error) {
      // Continue, so that one unreadable log does not hide the others.
      if (!isOfOneLog(error) || failed.length === 1 || context.signal.aborted) throw error;
      context.messages.error(error.message);
      failures.push(error);
    }
  }
  const failure = summarize(failures, `of ${failed.length} logs could not be read`);
  if (failure !== undefined) throw failure;
}

async function writeLog(
  build: BuildRef,
  job: Job,
  read: (ref: JobRef) => Promise<Bytes>,
  target: LogTarget,
): Promise<void> {
  let bytes: Bytes;
  try {
    const ref = { ...build, job: usableId(job) };
    bytes = await read(ref).catch((error: unknown) => {
      throw isNoLog(error) ? noLog(ref, error) : error;
    });
  } catch (error) {
    if (isOfOneLog(error)) await target.writeNote?.(job, error.message);
    throw error;
  }
  await target.writeLog(job, bytes);
}

/** Whether the error concerns only one log. Any other error would occur for every log. */
const isOfOneLog = (error: unknown): error is CictlError =>
  isServiceError(error) ||
  (error instanceof CictlError && ['not_found', 'refused'].includes(error.kind));

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

/** The job exists but has no log, for example because it expired. */
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

interface LogTarget {
  readonly writeLog: (job: Job, bytes: Bytes) => Promise<void>;
  /** Writes a note that says why there is no log. */
  readonly writeNote?: (job: Job, reason: string) => Promise<void>;
}

async function targetFor(
  folder: string | undefined,
  format: LogFormat,
  context: Context,
): Promise<LogTarget> {
  const { out, settings } = context;
  if (folder !== undefined) return logFolder(folder, format, context);
  if (format !== 'json') return textStream(out, format);
  return {
    async writeLog(_, bytes) {
      if (settings.jq !== undefined) await out.document((await buffer(bytes)).toString());
      else for await (const chunk of bytes) await out.write(chunk);
    },
  };
}

function textStream(out: Context['out'], format: LogFormat): LogTarget {
  let isLineStart = true;
  const writeLine = async (line: string): Promise<void> => {
    await out.write(`${isLineStart ? '' : '\n'}${line}\n`);
    isLineStart = true;
  };
  const writeHeader = async (job: Job): Promise<void> => {
    const name = nameOf(job);
    const shown = out.isTerminal ? (await emojisFor([name]))(name) : name;
    await writeLine(`==> ${shown} (${cleanLine(job.id ?? '')}) <==`);
  };
  return {
    async writeLog(job, bytes) {
      await writeHeader(job);
      for await (const chunk of await shownBytes(bytes, format, out)) {
        await out.write(chunk);
        if (chunk.length > 0) isLineStart = chunk.at(-1) === newline;
      }
    },
    async writeNote(job, reason) {
      await writeHeader(job);
      await writeLine(`(${cleanLine(reason)})`);
    },
  };
}

const newline = 0x0a;

async function logFolder(folder: string, format: LogFormat, context: Context): Promise<LogTarget> {
  const path = resolve(context.cwd, folder);
  await makeOutFolder(path, folder);
  const suffix = format === 'html' || format === 'json' ? format : 'log';
  return {
    writeLog: async (job, bytes) => {
      const file = join(path, `${fileName(job)}.${suffix}`);
      await writeWholeFile(file, await filteredBytes(bytes, context), context);
    },
  };
}

/** Example: `rspec-3f0e…`. Uses only characters that every file system allows. */
function fileName(job: Job): string {
  const slug = nameOf(job)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60);
  return [slug, idInName(job.id ?? '')].filter((part) => part !== '').join('-');
}

/** Unusual IDs are hashed, because some file systems are not case-sensitive. */
const idInName = (id: string): string =>
  /^[a-z0-9-]{1,64}$/.test(id) ? id : createHash('sha256').update(id).digest('hex').slice(0, 32);
