import type { Response } from '../http/transport.ts';
import { buildPath } from './builds.ts';
import { checkedLogObject } from './log-object.ts';
import { type RestClient, complete, environment, identified } from './rest-client.ts';
import { jobName, type JobRef } from './refs.ts';
import { jobLog, type JobLog } from './resources/job_log.ts';
import { job as resource, type Job } from './resources/job.ts';
import type { Call } from './call.ts';

export interface Unblock {
  readonly unblocker?: string;
  readonly fields?: Readonly<Record<string, unknown>>;
}

export interface LogTextOptions {
  readonly html?: boolean;
  readonly range?: string;
}

export interface Jobs {
  retry(ref: JobRef): Promise<Job>;
  unblock(ref: JobRef, body?: Unblock): Promise<Job>;
  log(ref: JobRef): Promise<JobLog>;
  logText(ref: JobRef, options?: LogTextOptions): Promise<Response>;
  logJson(ref: JobRef): Promise<Response>;
  deleteLog(ref: JobRef): Promise<void>;
  env(ref: JobRef): Promise<{ env?: Record<string, string> | null }>;
  envText(ref: JobRef): Promise<string>;
}

export const jobs = (rest: RestClient): Jobs => ({
  retry: (ref) =>
    rest.one<Job>({ ...write(ref, 'retry'), action: `retry ${named(ref)}` }, identified(resource)),
  unblock: (ref, body) =>
    rest.one<Job>(
      { ...write(ref, 'unblock'), body, action: `unblock ${named(ref)}` },
      identified(resource),
    ),
  log: (ref) => rest.one<JobLog>(readLog(ref, 'log'), complete(jobLog, ['content'])),
  logText: (ref, { html = false, range } = {}) =>
    rest.stream({
      ...readLog(ref, html ? 'log.html' : 'log.txt'),
      accept: html ? 'text/html' : 'text/plain',
      ...(range === undefined ? {} : { range }),
    }),
  logJson: (ref) =>
    rest.stream({ ...readLog(ref, 'log'), accept: 'application/json' }, checkedLogObject),
  deleteLog: (ref) =>
    rest.none({
      ...on(ref, 'log', 'write_build_logs'),
      method: 'DELETE',
      action: `delete the log of ${named(ref)}`,
    }),
  env: (ref) => rest.one<{ env?: Record<string, string> | null }>(readEnv(ref, 'env'), environment),
  envText: (ref) => rest.text({ ...readEnv(ref, 'env.txt'), accept: 'text/plain' }),
});

const named = (ref: JobRef): string => `job ${jobName(ref)}`;

const on = (
  ref: JobRef,
  last: string,
  scope: string,
): Pick<Call, 'path' | 'scope' | 'subject'> => ({
  path: [...buildPath(ref), 'jobs', ref.job, last],
  scope,
  subject: ref,
});

const write = (ref: JobRef, verb: string): Omit<Call, 'action'> => ({
  ...on(ref, verb, 'write_builds'),
  method: 'PUT',
});

const readLog = (ref: JobRef, file: string): Call => ({
  ...on(ref, file, 'read_build_logs'),
  method: 'GET',
  action: `read the log of ${named(ref)}`,
});

const readEnv = (ref: JobRef, file: string): Call => ({
  ...on(ref, file, 'read_job_env'),
  method: 'GET',
  action: `read the environment of ${named(ref)}`,
});
