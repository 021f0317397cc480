import { job } from '../../api/resources/job.ts';
import type { Handler } from '../../cli/command.ts';
import { resolveJob } from '../../refs/resolve.ts';
import type { jobView } from './view.ts';

/** `cictl job view [JOB]`. */
export const run: Handler<typeof jobView> = async ({ job: text, build }, context) => {
  const found = await resolveJob(context, text, {
    mutates: false,
    ...(build !== undefined && { build }),
  });
  await context.out.one(job, found.job);
};
