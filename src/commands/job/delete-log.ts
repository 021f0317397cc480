import { buildName, jobName, type JobRef } from '../../api/refs.ts';
import { evictLog } from '../../cache/log-cache.ts';
import type { Handler } from '../../command/command.ts';
import type { Context } from '../../context.ts';
import { CictlError } from '../../errors.ts';
import { resolveJobRef } from '../../refs/resolve.ts';
import { jobTitleLine } from '../../watch/job-title.ts';
import { confirm, isAsked } from '../confirm.ts';
import { hasLog, jobsWithLog } from '../pickable.ts';
import type { jobDeleteLog } from './index.ts';

export const deleteLog: Handler<typeof jobDeleteLog> = async ({ job, build }, context) => {
  const ref = await resolveJobRef(context, job, { ...jobsWithLog, mutates: true, build });
  const what = isAsked(context) ? await describe(ref, context) : jobName(ref);
  await confirm(context, `Delete the log of ${what}?`);
  const { jobs } = await context.client();
  await jobs.deleteLog(ref);
  await evictLog(ref, context);
  context.messages.note(`deleted the log of ${jobName(ref)}`);
};

/** Describes the job, because an ID says little. Exit code 8 for a job without a log. */
async function describe(ref: JobRef, context: Context): Promise<string> {
  const { builds } = await context.client();
  const { jobs, branch } = await builds.get(ref, { includeRetriedJobs: true });
  const job = jobs?.find(({ id }) => id === ref.job);
  if (job === undefined) return jobName(ref);
  const title = JSON.stringify(jobTitleLine(job));
  const build = buildName(ref);
  if (!hasLog(job))
    throw new CictlError('refused', `job ${title} of ${build} has not started, so it has no log`);
  const facts = [build, job.state ?? '', branch ?? ''].filter(Boolean).join(', ');
  return `${title} (${facts}) permanently`;
}
