import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { JobRef } from '../../api/refs.ts';
import type { Job } from '../../api/resources/job.ts';
import type { Context } from '../../context.ts';
import { CictlError, usageError } from '../../errors.ts';
import { resolveBuild } from '../../refs/resolve.ts';
import { cleanLine } from '../../render/text.ts';
import { writeBeside } from '../write.ts';
import { isFailedJob } from './failed.ts';
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
  let atLineStart = true;
  for (const { ref, job } of failed) {
    const bytes = await logBytes(ref, request, input.server, context);
    if (request.format !== 'json')
      await context.out.write(`${atLineStart ? '' : '\n'}${header(job)}\n`);
    atLineStart = await print(bytes, context);
  }
}

async function failedJobs({ build }: LogInput, context: Context): Promise<Failed[]> {
  const ref = await resolveBuild(context, build, { mutates: false });
  const { builds } = await context.client();
  const { jobs } = await builds.get(ref);
  return (jobs ?? [])
    .filter((job) => isFailedJob(job) && typeof job.id === 'string')
    .map((job) => ({ ref: { ...ref, job: job.id ?? '' }, job }));
}

const nameOf = (job: Job): string => cleanLine(job.name ?? job.label ?? job.step_key ?? 'job');

const header = (job: Job): string => `==> ${nameOf(job)} (${job.id ?? ''}) <==`;

/** Whether it ended with a newline, or printed nothing. */
async function print(bytes: AsyncIterable<Uint8Array>, { out }: Context): Promise<boolean> {
  let last: number | undefined;
  for await (const chunk of bytes) {
    await out.write(chunk);
    last = chunk.at(-1) ?? last;
  }
  return last === undefined || last === 0x0a;
}

async function writeFolder(
  folder: string,
  failed: readonly Failed[],
  request: LogRequest,
  { server }: LogInput,
  context: Context,
): Promise<void> {
  const path = resolve(context.cwd, folder);
  await mkdir(path, { recursive: true }).catch((error: unknown) => {
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new CictlError('machine', `cannot make the folder ${folder}: ${code}`, { cause: error });
  });
  for (const { ref, job } of failed) {
    const bytes = await logBytes(ref, request, server, context);
    await writeBeside(join(path, fileName(job, request)), bytes, context);
  }
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
