import { jobName, type JobRef } from '../../api/refs.ts';
import { job as resource } from '../../api/resources/job.ts';
import type { Handler, Input } from '../../cli/command.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import { newestExecution } from '../../refs/retried.ts';
import { resolveBuild, resolveJob } from '../../refs/resolve.ts';
import { isFailedJob } from './failed.ts';
import type { jobRetry } from './retry.ts';
import { retryAll } from './retry-all.ts';

type RetryInput = Input<typeof jobRetry>;

/** `cictl job retry [JOB...]`, or `--failed --build BUILD`: the largest code is the exit code. */
export const run: Handler<typeof jobRetry> = async (input, context) => {
  const refs = input.failed ? await failedJobs(input, context) : await namedJobs(input, context);
  const [only, ...others] = refs;
  if (only === undefined) {
    context.messages.note('no failed jobs: nothing to retry');
    return;
  }
  if (others.length > 0) return retryAll(refs, context);
  const { jobs } = await context.client();
  await context.out.changed(resource, () => jobs.retry(only));
};

async function failedJobs({ job, build }: RetryInput, context: Context): Promise<JobRef[]> {
  if (job.length > 0) throw usageError('JOB and --failed exclude each other');
  const ref = await resolveBuild(context, build, { mutates: true });
  const { builds } = await context.client();
  const { jobs } = await builds.get(ref);
  return (jobs ?? []).filter(isFailedJob).map(({ id }) => ({ ...ref, job: id ?? '' }));
}

/** All are looked up before the first is retried, so that a misspelt one changes nothing. */
async function namedJobs({ job, build }: RetryInput, context: Context): Promise<JobRef[]> {
  const refs = new Map<string, JobRef>();
  for (const text of job.length > 0 ? job : [undefined]) {
    const found = await resolveJob(context, text, {
      mutates: true,
      ...(build !== undefined && { build }),
    });
    const ref = await newestExecution(found, context);
    refs.set(jobName(ref), ref);
  }
  return [...refs.values()];
}
