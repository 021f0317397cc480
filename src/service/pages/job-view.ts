import type { JobView } from '../../pages/job/job-view.ts';
import { executionsOf } from './job-executions.ts';
import { artifactsOf, findJobOfPage, type JobOfPage } from './job-of-page.ts';
import { contextOf } from './may-write.ts';
import type { PageCall } from './page-call.ts';

/** What the head of a job's page shows, as it is now. */
export async function jobView(call: PageCall): Promise<JobView & JobOfPage> {
  const found = await findJobOfPage(call);
  const [executions, artifacts] = await Promise.all([
    executionsOf(call, found.job),
    found.job.type === 'script' ? artifactsOf(call) : [],
  ]);
  const context = { ...contextOf(call), now: call.service.clock.now() };
  return { ...found, executions, artifacts, context };
}
