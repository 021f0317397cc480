import { job, type Job } from '../../api/resources/job.ts';
import type { Handler } from '../../cli/command.ts';
import { resolveBuild } from '../../refs/resolve.ts';
import { isFailedJob } from './failed.ts';
import type { jobList } from './list.ts';

/** `cictl job list [BUILD]`. */
export const run: Handler<typeof jobList> = async ({ build, state, failed, ...input }, context) => {
  const ref = await resolveBuild(context, build, { mutates: false });
  const { builds } = await context.client();
  const { jobs } = await builds.get(ref, { includeRetriedJobs: input.includeRetriedJobs });
  const wanted = (item: Job) =>
    (state.length === 0 || state.includes(item.state ?? '')) && (!failed || isFailedJob(item));
  await context.out.list(job, (jobs ?? []).filter(wanted), { empty: 'no jobs found' });
};
