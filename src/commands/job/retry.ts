import { buildName, jobName, type JobRef } from '../../api/refs.ts';
import { job as resource, type Job } from '../../api/resources/job.ts';
import type { Handler, Input } from '../../command/command.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import { idOf, newestExecution } from '../../refs/find-job.ts';
import { resolveBuild, resolveJob } from '../../refs/resolve.ts';
import { changeForWatch, checkWatchOption, watchAfter } from '../../watch/watch-option.ts';
import { refuseOwnBuild, type BuildTarget } from '../../watch/target.ts';
import { isFailedJob } from '../../watch/outcome.ts';
import { type ChangedAll, changeAll } from '../change-all.ts';
import { retryableJobs } from '../pickable.ts';
import type { jobRetry } from './index.ts';
import type { WatchInput } from '../../watch/watch-flags.ts';

type RetryInput = Input<typeof jobRetry>;

/** `cictl job retry [JOB...]`, or `--failed --build BUILD`: the largest code is the exit code. */
export const retryJobs: Handler<typeof jobRetry> = async (input, context) => {
  checkWatchOption(input, context);
  const refs = input.failed ? await failedJobs(input, context) : await namedJobs(input, context);
  if (input.watch) for (const ref of refs) refuseOwnBuild(context, ref);
  if (refs.length === 0) context.messages.note('no failed jobs: nothing to retry');
  const { done: retried, failure } = await retry(refs, input, context);
  const watches = input.watch && retried.length > 0;
  const code = watches ? await watchAfter(buildsOf(retried), context) : 0;
  if (failure !== undefined) throw failure;
  return code;
};

async function retry(
  refs: readonly JobRef[],
  input: RetryInput,
  context: Context,
): Promise<ChangedAll<Retried>> {
  const [ref, ...others] = refs;
  if (ref === undefined || others.length > 0) return retryAll(refs, input, context);
  const { jobs } = await context.client();
  const job = await changeForWatch(resource, () => jobs.retry(ref), input, context, 'retried');
  return { done: job === undefined ? [] : [{ ref, job }], failure: undefined };
}

/** Each build once, with the executions that have to end in it. */
function buildsOf(retried: readonly Retried[]): BuildTarget[] {
  const builds = new Map<string, { ref: JobRef; jobs: string[] }>();
  for (const { ref, job } of retried) {
    const build = builds.get(buildName(ref)) ?? { ref, jobs: [] };
    builds.set(buildName(ref), { ref, jobs: [...build.jobs, job.id ?? ''] });
  }
  return [...builds.values()];
}

async function failedJobs({ job, build }: RetryInput, context: Context): Promise<JobRef[]> {
  if (job.length > 0) throw usageError('JOB and --failed cannot be used together');
  const pickable = retryableJobs.pickableBuilds;
  const ref = await resolveBuild(context, build, { mutates: true, pickable });
  const { builds } = await context.client();
  const { jobs } = await builds.get(ref);
  return (jobs ?? []).filter(isFailedJob).map((job) => ({ ...ref, job: idOf(job) }));
}

/** All are looked up before the first is retried, so that a misspelt one changes nothing. */
async function namedJobs({ job, build }: RetryInput, context: Context): Promise<JobRef[]> {
  const refs = new Map<string, JobRef>();
  for (const text of job.length > 0 ? job : [undefined]) {
    const found = await resolveJob(context, text, {
      ...retryableJobs,
      mutates: true,
      ...(build !== undefined && { build }),
    });
    const ref = await newestExecution(found, context);
    refs.set(jobName(ref), ref);
  }
  return [...refs.values()];
}

interface Retried {
  /** The job that was retried. */
  readonly ref: JobRef;
  /** The new one. */
  readonly job: Job;
}

/**
 * Retries several jobs with one line for each: the new job on standard output, why not on standard
 * error. One that fails does not end the others.
 */
async function retryAll(
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
