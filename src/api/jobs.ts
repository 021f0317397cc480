import { InvalidResponseError, type Response } from '../http/transport.ts';
import { buildPath } from './builds.ts';
import { decodeObject } from './decode.ts';
import { type RestClient, complete, environment, identified } from './rest-client.ts';
import { jobName, type JobRef } from './refs.ts';
import { jobLog, type JobLog } from './resources/job_log.ts';
import { job as resource, type Job } from './resources/job.ts';
import type { Call } from './call.ts';

interface Unblock {
  readonly unblocker?: string;
  readonly fields?: Readonly<Record<string, unknown>>;
}

export interface LogTextOptions {
  readonly html?: boolean;
  /** Value of the `Range` header: `bytes=-4096`, `bytes=100-` */
  readonly range?: string;
}

export type Jobs = ReturnType<typeof jobs>;

export const jobs = (rest: RestClient) => ({
  retry: (ref: JobRef) =>
    rest.one<Job>(call('PUT', 'retry', ref, 'retry', 'write_builds'), identified(resource)),
  unblock: (ref: JobRef, body?: Unblock) =>
    rest.one<Job>(
      { ...call('PUT', 'unblock', ref, 'unblock', 'write_builds'), body },
      identified(resource),
    ),
  log: (ref: JobRef) => rest.one<JobLog>(readLog(ref, 'log'), complete(jobLog, ['content'])),
  /** Status 200, or 206 for a range, or 416 for an empty range. Reading may throw `CictlError`. */
  logText: (ref: JobRef, { html = false, range }: LogTextOptions = {}) =>
    rest.stream({
      ...readLog(ref, html ? 'log.html' : 'log.txt'),
      accept: html ? 'text/html' : 'text/plain',
      ...(range === undefined ? {} : { range }),
    }),
  logJson: (ref: JobRef) =>
    rest.stream({ ...readLog(ref, 'log'), accept: 'application/json' }, checkedLogObject),
  deleteLog: (ref: JobRef) =>
    rest.none(call('DELETE', 'delete the log of', ref, 'log', 'write_build_logs')),
  env: (ref: JobRef) =>
    rest.one<{ env?: Record<string, string> | null }>(readEnv(ref, 'env'), environment),
  envText: (ref: JobRef) => rest.text({ ...readEnv(ref, 'env.txt'), accept: 'text/plain' }),
});

/** Logs whose JSON is smaller than this are checked completely before any part is passed on. */
const streamedSize = 65_536;

/** Checks everything except the content of long strings, so that memory use stays constant. */
export async function* checkedLogObject(body: Response['body']): AsyncGenerator<Uint8Array> {
  let start: Uint8Array[] | undefined = [];
  let size = 0;
  let outline = '';
  for await (const chunk of body) {
    size += chunk.length;
    outline = withoutLongStrings(outline + Buffer.from(chunk).toString('latin1'));
    start?.push(chunk);
    if (start === undefined) yield chunk;
    else if (size >= streamedSize) {
      if (!/^\s*\{/.test(outline)) decodeObject(outline);
      yield* start;
      start = undefined;
    }
  }
  const problem = complete(jobLog, ['content'])(decodeObject(outline));
  if (problem !== undefined) throw new InvalidResponseError(problem);
  yield* start ?? [];
}

/** Removes the content of long strings from JSON. The last string may be cut off. */
const withoutLongStrings = (json: string): string =>
  json.replace(/"([^"\\]*(?:\\.[^"\\]*)*)("|\\?$)/gs, (whole: string, text: string, end: string) =>
    text.length > 1000 ? `"${end}` : whole,
  );

const readLog = (ref: JobRef, file: string): Call =>
  call('GET', 'read the log of', ref, file, 'read_build_logs');

const readEnv = (ref: JobRef, file: string): Call =>
  call('GET', 'read the environment of', ref, file, 'read_job_env');

const call = (
  method: Call['method'],
  verb: string,
  ref: JobRef,
  last: string,
  scope: string,
): Call => ({
  ...{ method, path: [...buildPath(ref), 'jobs', ref.job, last] },
  ...{ action: `${verb} job ${jobName(ref)}`, scope, subject: ref },
});
