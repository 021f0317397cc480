import { jobName, type JobRef } from '../../api/refs.ts';
import { job as resource, type Job } from '../../api/resources/job.ts';
import type { Context } from '../../context.ts';
import { CictlError, toExit } from '../../errors.ts';
import { mapConcurrent } from '../map-concurrent.ts';
import { changeForWatch } from '../../watch/watch-option.ts';
import type { WatchInput } from '../../watch/watch-flags.ts';

/** How many requests may be under way at once. */
const width = 4;

export interface Retried {
  /** The job that was retried. */
  readonly ref: JobRef;
  /** The new one. */
  readonly job: Job;
}

export interface RetriedAll {
  /** Empty under `--dry-run`. */
  readonly retried: readonly Retried[];
  /** What to end with where some were not retried; of the largest code. */
  readonly failure: CictlError | undefined;
}

/**
 * Retries several jobs with one line for each: the new job on standard output, why not on standard
 * error. One that fails does not stop the others.
 */
export async function retryAll(
  refs: readonly JobRef[],
  input: WatchInput,
  context: Context,
): Promise<RetriedAll> {
  const { jobs } = await context.client();
  const results = await mapConcurrent(refs, width, async (ref) => {
    try {
      const job = await print(ref, () => jobs.retry(ref), input, context);
      return job && { ref, job };
    } catch (error) {
      if (!(error instanceof CictlError) || context.signal.aborted) throw error;
      context.messages.error(`${jobName(ref)}: ${error.message}`);
      return error;
    }
  });
  const failures = results.filter((result) => result instanceof CictlError);
  const retried = results.filter(isRetried);
  return { retried, failure: summary(failures, refs.length) };
}

const isRetried = (result: Retried | CictlError | undefined): result is Retried =>
  result !== undefined && !(result instanceof CictlError);

function summary(failures: readonly CictlError[], count: number): CictlError | undefined {
  const [worst] = [...failures].sort((one, other) => toExit(other) - toExit(one));
  if (worst === undefined) return undefined;
  return new CictlError(worst.kind, `${failures.length} of ${count} jobs were not retried`, {
    ...(worst.status !== undefined && { status: worst.status }),
  });
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
