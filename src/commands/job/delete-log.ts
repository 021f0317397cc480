import { buildName, jobName, type JobRef } from '../../api/refs.ts';
import type { Handler } from '../../command/command.ts';
import type { Context } from '../../context.ts';
import { CictlError } from '../../errors.ts';
import { resolveJobRef } from '../../refs/resolve.ts';
import { jobTitleLine } from '../../watch/job-title.ts';
import { confirm, isAsked } from '../confirm.ts';
import { evictLog } from '../../cache/log-cache.ts';
import { hasLog, jobsWithLog } from '../pickable.ts';
import type { jobDeleteLog } from './index.ts';

/** `cictl job delete-log [JOB]`. */
export const deleteLog: Handler<typeof jobDeleteLog> = async (input, context) => {
  const ref = await resolveJobRef(context, input.job, {
    ...jobsWithLog,
    mutates: true,
    ...(input.build !== undefined && { build: input.build }),
  });
  const what = isAsked(context) ? await describe(ref, context) : jobName(ref);
  await confirm(context, `Delete the log of ${what}?`);
  const { jobs } = await context.client();
  await jobs.deleteLog(ref);
  await evictLog(ref, context);
  context.messages.note(`the log of ${jobName(ref)} is deleted`);
};

/** Name, build and branch: an id says little. Code 8 for a job that has no log. */
async function describe(ref: JobRef, context: Context): Promise<string> {
  const { builds } = await context.client();
  const { jobs, branch } = await builds.get(ref, { includeRetriedJobs: true });
  const job = jobs?.find(({ id }) => id === ref.job);
  if (job === undefined) return jobName(ref);
  const title = JSON.stringify(jobTitleLine(job));
  if (!hasLog(job))
    throw new CictlError(
      'refused',
      `job ${title} of ${buildName(ref)} has not begun: it has no log`,
    );
  const facts = [buildName(ref), job.state ?? '', branch ?? ''].filter(Boolean).join(', ');
  return `${title} (${facts}) for good`;
}
