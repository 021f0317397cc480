/** What the pages of a job are about, read by the API in the name of who is signed in. */
import type { Artifact } from '../../api/resources/artifact.ts';
import type { Build } from '../../api/resources/build.ts';
import type { Job } from '../../api/resources/job.ts';
import { ApiError } from '../http/api-error.ts';
import { logOutline } from './log-outlines.ts';
import type { PageCall } from './page-call.ts';

export interface JobOfPage {
  readonly job: Job;
  readonly build: Build;
  /** The page's own address. */
  readonly path: string;
}

/** Throws `ApiError` where there is no such job. */
export async function findJobOfPage(call: PageCall): Promise<JobOfPage> {
  const path = apiPath(call);
  const [job, build] = await Promise.all([
    call.api.request('GET', path),
    call.api.request('GET', `${path.slice(0, path.lastIndexOf('/jobs/'))}?exclude_jobs=true`),
  ]);
  return { job: job as Job, build: build as Build, path: pagePath(call) };
}

/** The address of the job in the API. */
export function apiPath({ params }: PageCall): string {
  const [org, pipeline, number, job] = parts(params);
  return `/v2/organizations/${org}/pipelines/${pipeline}/builds/${number}/jobs/${job}`;
}

function pagePath({ params }: PageCall): string {
  const [org, pipeline, number, job] = parts(params);
  return `/${org}/${pipeline}/builds/${number}/jobs/${job}`;
}

const parts = (params: PageCall['params']): string[] =>
  ['org', 'pipeline', 'number', 'job'].map((name) => encodeURIComponent(params[name] ?? ''));

/** The newest hundred at most; none where they may not be read. */
export async function artifactsOf(call: PageCall): Promise<Artifact[]> {
  try {
    return (await call.api.request('GET', `${apiPath(call)}/artifacts?per_page=100`)) as Artifact[];
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) return [];
    throw error;
  }
}

/** Whether there is a log for who is signed in. */
export async function logAccess(call: PageCall): Promise<'there' | 'none' | 'refused'> {
  try {
    const response = await call.api.fetch(`${apiPath(call)}/log.txt`, { range: 'bytes=0-0' });
    await response.body?.cancel();
    return 'there';
  } catch (error) {
    const status = error instanceof ApiError ? error.status : 0;
    // One with nothing in it has no range.
    if (status === 416) return 'there';
    if (status === 404) return 'none';
    if (status === 403) return 'refused';
    throw error;
  }
}

/** A job with its log as it is now. Throws `ApiError` 403 where it may not be read, 404 where there is none. */
export async function findLogOfPage(call: PageCall) {
  const { job } = await findJobOfPage(call);
  const access = await logAccess(call);
  if (access === 'refused') throw new ApiError(403, 'You may not read logs');
  const jobId = job.id ?? '';
  const outline = access === 'there' ? await logOutline(call.service.logs, jobId) : undefined;
  if (outline === undefined) throw new ApiError(404, 'There is no log');
  return { job, jobId, outline };
}
