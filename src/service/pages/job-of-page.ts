import { memberText, type Build } from '../../api/resources/build.ts';
import type { Artifact } from '../../api/resources/artifact.ts';
import type { Job } from '../../api/resources/job.ts';
import { ApiError } from '../http/api-error.ts';
import { buildPath, jobPath, webJob } from './addresses.ts';
import { type PageCall, contextOf } from './page-call.ts';
import type { JobView } from '../../pages/job-head.tsx';

export interface JobOfPage {
  readonly job: Job;
  readonly build: Build;
  readonly path: string;
}

/** Throws `ApiError` if the job does not exist. */
export async function findJobOfPage({ api, params }: PageCall): Promise<JobOfPage> {
  const [job, build] = await Promise.all([
    api.request('GET', jobPath(params)),
    api.request('GET', `${buildPath(params)}?exclude_jobs=true`),
  ]);
  return { job: job as Job, build: build as Build, path: webJob(params) };
}

/** Returns at most 100 artifacts, newest first. Empty if the user may not read artifacts. */
async function artifactsOf({ api, params }: PageCall): Promise<Artifact[]> {
  try {
    return (await api.request('GET', `${jobPath(params)}/artifacts?per_page=100`)) as Artifact[];
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) return [];
    throw error;
  }
}

export async function logAccess({ api, params }: PageCall): Promise<'there' | 'none' | 'refused'> {
  try {
    const response = await api.fetch(`${jobPath(params)}/log.txt`, { range: 'bytes=0-0' });
    await response.body?.cancel();
    return 'there';
  } catch (error) {
    const status = error instanceof ApiError ? error.status : 0;
    // The response for an empty log is 416, because no range is satisfiable.
    if (status === 416) return 'there';
    if (status === 404) return 'none';
    if (status === 403) return 'refused';
    throw error;
  }
}

export async function jobView(call: PageCall): Promise<JobView & JobOfPage> {
  const found = await findJobOfPage(call);
  const [executions, artifacts] = await Promise.all([
    executionsOf(call, found.job),
    found.job.type === 'script' ? artifactsOf(call) : [],
  ]);
  const context = { ...contextOf(call), now: call.service.clock.now() };
  return { ...found, executions, artifacts, context };
}

/** Maximum number of retries to follow in each direction. */
const most = 10;

/** Returns all attempts of a job, oldest first. Each attempt refers to the next attempt. */
async function executionsOf({ api, params }: PageCall, job: Job): Promise<Job[]> {
  const read = async (id: string): Promise<Job> =>
    (await api.request('GET', jobPath({ ...params, job: id }))) as Job;
  const executions = [job];
  for (let id = sourceOf(job); id !== undefined && executions.length <= most;) {
    const earlier = await read(id);
    executions.unshift(earlier);
    id = sourceOf(earlier);
  }
  const before = executions.length;
  for (let id = job.retried_in_job_id; id && executions.length < before + most;) {
    const later = await read(id);
    executions.push(later);
    id = later.retried_in_job_id;
  }
  return executions;
}

const sourceOf = (job: Job): string | undefined => memberText(job.retry_source, 'job_id');
