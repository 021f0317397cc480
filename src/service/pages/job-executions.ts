import type { Job } from '../../api/resources/job.ts';
import { jobPath } from './api-paths.ts';
import type { PageCall } from './page-call.ts';

/** So many on either side. */
const most = 10;

/** All executions of a job, the first one first: retries name each other. */
export async function executionsOf(call: PageCall, job: Job): Promise<Job[]> {
  const executions = [job];
  for (let id = sourceOf(job); id !== undefined && executions.length <= most;) {
    const earlier = await otherJob(call, id);
    executions.unshift(earlier);
    id = sourceOf(earlier);
  }
  const before = executions.length;
  for (let id = job.retried_in_job_id; id && executions.length < before + most;) {
    const later = await otherJob(call, id);
    executions.push(later);
    id = later.retried_in_job_id;
  }
  return executions;
}

const otherJob = async ({ api, params }: PageCall, id: string): Promise<Job> =>
  (await api.request('GET', jobPath({ ...params, job: id }))) as Job;

function sourceOf({ retry_source: source }: Job): string | undefined {
  if (typeof source !== 'object' || source === null || !('job_id' in source)) return undefined;
  return typeof source.job_id === 'string' ? source.job_id : undefined;
}
