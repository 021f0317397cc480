/** What the pages of a job are about, read by the API in the name of who is signed in. */
import type { Artifact } from '../../api/resources/artifact.ts';
import type { Build } from '../../api/resources/build.ts';
import type { Job } from '../../api/resources/job.ts';
import { ApiError } from '../http/api-error.ts';
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

/** The newest hundred at most. */
export const artifactsOf = async (call: PageCall): Promise<Artifact[]> =>
  (await call.api.request('GET', `${apiPath(call)}/artifacts?per_page=100`)) as Artifact[];

/**
 * Whether there is a log. Throws `ApiError` 403 where it may not be read.
 */
export async function hasLog(call: PageCall): Promise<boolean> {
  try {
    const response = await call.api.fetch(`${apiPath(call)}/log.txt`, { range: 'bytes=0-0' });
    await response.body?.cancel();
    return true;
  } catch (error) {
    if (!(error instanceof ApiError) || (error.status !== 404 && error.status !== 416)) throw error;
    // One with nothing in it has no range.
    return error.status === 416;
  }
}
