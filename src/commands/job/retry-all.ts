import { jobName, type JobRef } from '../../api/refs.ts';
import { job as resource, type Job } from '../../api/resources/job.ts';
import type { Context } from '../../context.ts';
import { changeForWatch } from '../../watch/watch-option.ts';
import type { WatchInput } from '../../watch/watch-flags.ts';
import { changeAll, type ChangedAll } from '../change-all.ts';

export interface Retried {
  /** The job that was retried. */
  readonly ref: JobRef;
  /** The new one. */
  readonly job: Job;
}

/**
 * Retries several jobs with one line for each: the new job on standard output, why not on standard
 * error. One that fails does not end the others.
 */
export async function retryAll(
  refs: readonly JobRef[],
  input: WatchInput,
  context: Context,
): Promise<ChangedAll<Retried>> {
  const { jobs } = await context.client();
  const change = async (ref: JobRef): Promise<Retried | undefined> => {
    const job = await print(ref, () => jobs.retry(ref), input, context);
    return job && { ref, job };
  };
  const undone = 'jobs were not retried';
  return changeAll(refs, { width: 4, nameOf: jobName, undone, change }, context);
}

/** A table of one job each would be long; the other forms have one line a job anyway. */
async function print(
  ref: JobRef,
  retry: () => Promise<Job>,
  input: WatchInput,
  context: Context,
): Promise<Job | undefined> {
  const { out, settings } = context;
  if (out.format !== 'table' || settings.dryRun)
    return changeForWatch(resource, retry, input, context, 'retried');
  const job = await retry();
  await out.line(`${job.name ?? job.step_key ?? 'job'}: ${ref.job} is retried as ${job.id ?? '?'}`);
  return job;
}
