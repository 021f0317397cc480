import { jobName, type JobRef } from '../../api/refs.ts';
import { job as resource, type Job } from '../../api/resources/job.ts';
import type { Context } from '../../context.ts';
import { CictlError, toExit } from '../../errors.ts';
import { eachOf } from '../concurrent.ts';

/** How many requests may be under way at once. */
const width = 4;

/**
 * Retries several jobs with one line for each: the new job on standard output, why not on standard
 * error. One that fails does not stop the others. Throws an error of the largest code.
 */
export async function retryAll(refs: readonly JobRef[], context: Context): Promise<void> {
  const { jobs } = await context.client();
  const failures = await eachOf(refs, width, async (ref): Promise<CictlError | undefined> => {
    try {
      await print(ref, () => jobs.retry(ref), context);
      return undefined;
    } catch (error) {
      if (!(error instanceof CictlError) || context.signal.aborted) throw error;
      context.messages.error(`${jobName(ref)}: ${error.message}`);
      return error;
    }
  });
  const failed = failures.filter((error) => error !== undefined);
  const [worst] = failed.sort((one, other) => toExit(other) - toExit(one));
  if (worst === undefined) return;
  throw new CictlError(worst.kind, `${failed.length} of ${refs.length} jobs were not retried`, {
    ...(worst.status !== undefined && { status: worst.status }),
  });
}

/** A table of one job each would be long; the other forms have one line a job anyway. */
async function print(
  ref: JobRef,
  retry: () => Promise<Job>,
  { out, settings }: Context,
): Promise<void> {
  if (out.format !== 'table' || settings.dryRun) {
    await out.changed(resource, retry);
    return;
  }
  const job = await retry();
  await out.line(`${job.name ?? job.step_key ?? 'job'}: ${ref.job} is retried as ${job.id ?? '?'}`);
}
