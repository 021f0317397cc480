import { jobName } from '../../api/refs.ts';
import { job, type Job } from '../../api/resources/job.ts';
import type { Handler } from '../../command/command.ts';
import type { FoundJob } from '../../refs/find-job.ts';
import { resolveBuild, resolveJob } from '../../refs/resolve.ts';
import { isFailedJob } from '../../watch/outcome.ts';
import { noteAgentWaits } from '../note-agent-waits.ts';
import { showWeb, wantsWeb, webContext } from '../show-web.ts';
import type { jobList, jobView } from './index.ts';

export const listJobs: Handler<typeof jobList> = async (input, context) => {
  const { state, failed, includeRetriedJobs } = input;
  const ref = await resolveBuild(context, input.build, { mutates: false });
  const { builds } = await context.client();
  const { jobs } = await builds.get(ref, { includeRetriedJobs });
  const matches = (item: Job) =>
    (state.length === 0 || state.includes(item.state ?? '')) && (!failed || isFailedJob(item));
  await context.out.list(job, (jobs ?? []).filter(matches), { empty: 'no jobs found' });
};

export const viewJob: Handler<typeof jobView> = async (
  { job: text, build, includeRetriedJobs, ...web },
  outer,
) => {
  const context = await webContext(web, outer);
  const found = await resolveJob(context, text, { mutates: false, includeRetriedJobs, build });
  if (wantsWeb(web)) return showWeb(urlOf(found), `job ${jobName(found.ref)}`, web, context);
  const { out, settings } = context;
  if (out.format !== 'table' || settings.fields !== undefined) {
    await out.one(job, found.job);
    return noteAgentWaits([found.job], context);
  }
  const { viewJobScreen } = await import('./view-screen.ts');
  return viewJobScreen(found, context);
};

/** A block step may have no page of its own, only an anchor on the page of its build. */
const urlOf = ({ job, build }: FoundJob): string | undefined | null =>
  job.web_url || (build.web_url && `${build.web_url}#${encodeURIComponent(job.id ?? '')}`);
