import { job, type Job } from '../../api/resources/job.ts';
import { jobName } from '../../api/refs.ts';
import type { Handler } from '../../command/command.ts';
import type { FoundJob } from '../../refs/find-job.ts';
import { resolveBuild, resolveJob } from '../../refs/resolve.ts';
import { isFailedJob } from '../../watch/outcome.ts';
import { noteAgentWaits } from '../note-agent-waits.ts';
import { showWeb, wantsWeb, webContext } from '../show-web.ts';
import type { jobList } from './index.ts';
import type { jobView } from './index.ts';

/** `cictl job list [BUILD]`. */
export const listJobs: Handler<typeof jobList> = async (
  { build, state, failed, ...input },
  context,
) => {
  const ref = await resolveBuild(context, build, { mutates: false });
  const { builds } = await context.client();
  const { jobs } = await builds.get(ref, { includeRetriedJobs: input.includeRetriedJobs });
  const wanted = (item: Job) =>
    (state.length === 0 || state.includes(item.state ?? '')) && (!failed || isFailedJob(item));
  await context.out.list(job, (jobs ?? []).filter(wanted), { empty: 'no jobs found' });
};

/** `cictl job view [JOB]`. */
export const viewJob: Handler<typeof jobView> = async (
  { job: text, build, includeRetriedJobs, ...web },
  outer,
) => {
  const context = await webContext(web, outer);
  const found = await resolveJob(context, text, {
    mutates: false,
    includeRetriedJobs,
    ...(build !== undefined && { build }),
  });
  if (wantsWeb(web)) return showWeb(addressOf(found), `job ${jobName(found.ref)}`, web, context);
  const { out, settings } = context;
  if (out.format !== 'table' || settings.fields !== undefined) {
    await out.one(job, found.job);
    return noteAgentWaits([found.job], context);
  }
  const { viewJobScreen } = await import('./view-screen.ts');
  return viewJobScreen(found, context);
};

/** A block step may have no page of its own: it stands on that of its build. */
const addressOf = ({ job, build }: FoundJob): string | undefined | null =>
  job.web_url || (build.web_url && `${build.web_url}#${encodeURIComponent(job.id ?? '')}`);
