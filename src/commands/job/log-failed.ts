import { join, resolve } from 'node:path';
import type { JobRef } from '../../api/refs.ts';
import type { Job } from '../../api/resources/job.ts';
import type { Context } from '../../context.ts';
import { CictlError, isServiceError, toExit, usageError } from '../../errors.ts';
import { makeFolder } from '../../make-folder.ts';
import { idOf } from '../../refs/find-job.ts';
import { resolveBuild } from '../../refs/resolve.ts';
import { cleanLine } from '../../render/text.ts';
import { writeWholeFile } from '../write-whole-file.ts';
import { isFailedJob } from '../../watch/is-failed-job.ts';
import type { LogInput, LogRequest } from './log-request.ts';
import { logBytes } from './log-view.ts';

interface Failed {
  readonly ref: JobRef;
  readonly job: Job;
}

/** `--failed`: the logs of all failed jobs, one after the other, or each in a file. */
export async function printFailedLogs(
  request: LogRequest,
  input: LogInput,
  context: Context,
): Promise<void> {
  if (request.format === 'html' && input.out === undefined) {
    throw usageError('--failed with --format html writes a page each: name a folder with -O');
  }
  const failed = await failedJobs(input, context);
  if (failed.length === 0) context.messages.note('no failed jobs found');
  if (input.out !== undefined) return writeFolder(input.out, failed, request, input, context);
  const lines = keepLines(context.out);
  await eachLog(failed, context, async ({ ref, job }) => {
    const bytes = await logBytes(ref, request, input.server, context);
    if (request.format !== 'json') await lines.writeLine(header(job));
    for await (const chunk of bytes) await lines.write(chunk);
  });
}

/** A job that expired has no log at all: what cannot be read does not hide the others. */
async function eachLog(
  failed: readonly Failed[],
  context: Context,
  print: (one: Failed) => Promise<void>,
): Promise<void> {
  const failures: CictlError[] = [];
  for (const one of failed) {
    try {
      await print(one);
    } catch (error) {
      const throwNow = failed.length === 1 || !isOfOneLog(error) || context.signal.aborted;
      if (throwNow) throw error;
      context.messages.error(error.message);
      failures.push(error);
    }
  }
  const [worst] = failures.sort((one, other) => toExit(other) - toExit(one));
  if (worst === undefined) return;
  const message = `${failures.length} of ${failed.length} logs could not be read`;
  throw new CictlError(worst.kind, message, {
    ...(worst.status !== undefined && { status: worst.status }),
  });
}

/** What is wrong with the request or with this machine is wrong for every log. */
const isOfOneLog = (error: unknown): error is CictlError =>
  isServiceError(error) ||
  (error instanceof CictlError && ['not_found', 'refused'].includes(error.kind));

async function failedJobs({ build }: LogInput, context: Context): Promise<Failed[]> {
  const ref = await resolveBuild(context, build, { mutates: false });
  const { builds } = await context.client();
  const { jobs } = await builds.get(ref);
  return (jobs ?? [])
    .filter((job) => isFailedJob(job) && typeof job.id === 'string')
    .map((job) => ({ ref: { ...ref, job: idOf(job) }, job }));
}

const nameOf = (job: Job): string => cleanLine(job.name ?? job.label ?? job.step_key ?? 'job');

const header = (job: Job): string => `==> ${nameOf(job)} (${job.id ?? ''}) <==`;

/** Header lines among the output of logs, which may end, or break off, inside a line. */
function keepLines(out: Context['out']) {
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

async function writeFolder(
  folder: string,
  failed: readonly Failed[],
  request: LogRequest,
  { server }: LogInput,
  context: Context,
): Promise<void> {
  const path = resolve(context.cwd, folder);
  await makeFolder(path).catch((error: unknown) => {
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new CictlError('machine', `cannot make the folder ${folder}: ${code}`, { cause: error });
  });
  await eachLog(failed, context, async ({ ref, job }) => {
    const bytes = await logBytes(ref, request, server, context);
    await writeWholeFile(join(path, fileName(job, request)), bytes, context);
  });
}

/** `rspec-3f0e….log`: of the name only what any file system takes. */
function fileName(job: Job, { format }: LogRequest): string {
  const slug = nameOf(job)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60);
  const id = (job.id ?? '').replace(/[^a-zA-Z0-9-]/g, '');
  const suffix = format === 'html' || format === 'json' ? format : 'log';
  return `${[slug, id].filter((part) => part !== '').join('-')}.${suffix}`;
}
