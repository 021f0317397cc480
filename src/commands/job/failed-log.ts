/** The log of a failed job, which may be without one, or have an id that leads nowhere. */
import type { Bytes } from '../../api/log-bytes.ts';
import { jobName, type BuildRef, type JobRef } from '../../api/refs.ts';
import type { Job } from '../../api/resources/job.ts';
import { CictlError } from '../../errors.ts';
import { idOf } from '../../refs/find-job.ts';
import { cleanLine } from '../../untrusted-text.ts';

export interface FailedLog {
  readonly job: Job;
  readonly read: () => Promise<Bytes>;
}

/** Reading it throws an error that says of which job there is no log, and why. */
export const failedLog = (
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

export const nameOf = (job: Job): string =>
  cleanLine(job.name ?? job.label ?? job.step_key ?? 'job');

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
