import { buildName, jobName, type JobRef } from '../../api/refs.ts';
import { job as resource, type Job } from '../../api/resources/job.ts';
import type { Handler, Input } from '../../command/command.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import { idOf, newestExecution } from '../../refs/find-job.ts';
import { resolveBuild, resolveJob } from '../../refs/resolve.ts';
import { isFailedJob } from '../../watch/outcome.ts';
import { refuseOwnBuild, type BuildTarget } from '../../watch/target.ts';
import { changeForWatch, checkWatchOption, watchAfter } from '../../watch/watch-option.ts';
import { type ChangedAll, changeAll } from '../change-all.ts';
import { retryableJobs } from '../pickable.ts';
import type { jobRetry } from './index.ts';

type RetryInput = Input<typeof jobRetry>;

/** Exits with the highest exit code of all retries. */
export const retryJobs: Handler<typeof jobRetry> = async (input, context) => {
  checkWatchOption(input, context);
  const refs = input.failed ? await failedJobs(input, context) : await namedJobs(input, context);
  if (input.watch) for (const ref of refs) refuseOwnBuild(context, ref);
  if (refs.length === 0) context.messages.note('no failed jobs to retry');
  const { done: retried, failure } = await retryAll(refs, input, context);
  const watches = input.watch && retried.length > 0;
  const code = watches ? await watchAfter(buildsOf(retried), context) : 0;
  if (failure !== undefined) throw failure;
  return code;
};

async function failedJobs({ job, build }: RetryInput, context: Context): Promise<JobRef[]> {
  if (job.length > 0) throw usageError('JOB and --failed cannot be used together');
  const pickable = retryableJobs.pickableBuilds;
  const ref = await resolveBuild(context, build, { mutates: true, pickable });
  const { builds } = await context.client();
  const { jobs } = await builds.get(ref);
  return (jobs ?? []).filter(isFailedJob).map((job) => ({ ...ref, job: idOf(job) }));
}

/** Looks up all jobs before the first is retried, so that a misspelled name changes nothing. */
async function namedJobs({ job, build }: RetryInput, context: Context): Promise<JobRef[]> {
  const refs = new Map<string, JobRef>();
  for (const text of job.length > 0 ? job : [undefined]) {
    const found = await resolveJob(context, text, { ...retryableJobs, mutates: true, build });
    const ref = await newestExecution(found, context);
    refs.set(jobName(ref), ref);
  }
  return [...refs.values()];
}

interface Retried {
  readonly ref: JobRef;
  readonly job: Job;
}

/** Prints one line per job if there are several. Continues with the other jobs after a failure. */
async function retryAll(
  refs: readonly JobRef[],
  input: RetryInput,
  context: Context,
): Promise<ChangedAll<Retried>> {
  const { jobs } = await context.client();
  const { out, settings } = context;
  const retry = (ref: JobRef) =>
    changeForWatch(resource, () => jobs.retry(ref), input, context, 'retried');
  const [only, ...others] = refs;
  if (only !== undefined && others.length === 0) {
    const job = await retry(only);
    return { done: job === undefined ? [] : [{ ref: only, job }], failure: undefined };
  }
  const change = async (ref: JobRef): Promise<Retried | undefined> => {
    if (out.format !== 'table' || settings.dryRun) {
      const job = await retry(ref);
      return job && { ref, job };
    }
    const job = await jobs.retry(ref);
    const name = job.name ?? job.step_key ?? 'job';
    await out.line(`${name}: retried ${ref.job} as ${job.id ?? '?'}`);
    return { ref, job };
  };
  const undone = 'jobs were not retried';
  return changeAll(refs, { width: 4, nameOf: jobName, undone, change }, context);
}

function buildsOf(retried: readonly Retried[]): BuildTarget[] {
  const builds = new Map<string, { ref: JobRef; jobs: string[] }>();
  for (const { ref, job } of retried) {
    const build = builds.get(buildName(ref)) ?? { ref, jobs: [] };
    builds.set(buildName(ref), { ref, jobs: [...build.jobs, job.id ?? ''] });
  }
  return [...builds.values()];
}
