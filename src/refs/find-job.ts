import { buildName, type BuildRef, type JobRef } from '../api/refs.ts';
import type { Build } from '../api/resources/build.ts';
import { type Job, jobTitle, partOfParallel } from '../api/resources/job.ts';
import { CictlError } from '../errors.ts';
import { stateText } from '../render/state.ts';
import { isSlug } from '../parse/checks.ts';
import type { JobOptions } from './resolve-job.ts';
import type { Surroundings } from './resolve-build.ts';

export interface FoundJob {
  readonly ref: JobRef;
  readonly build: Build;
  readonly job: Job;
}

/**
 * Finds a job by ID, step key, name or label. If none matches, retried jobs are searched too (from
 * the start with `includeRetriedJobs`). If several jobs match and exactly one of them is preferred,
 * returns that job. Otherwise, exit code 2 if several jobs match, and 7 if none does.
 */
export async function findJob(
  context: Surroundings,
  ref: BuildRef,
  text: string,
  options: Pick<JobOptions, 'includeRetriedJobs' | 'preferred'> = {},
): Promise<FoundJob> {
  const { builds } = await context.client();
  for (const includeRetriedJobs of options.includeRetriedJobs ? [true] : [false, true]) {
    const build = await builds.get(ref, { includeRetriedJobs });
    const jobs = matching(build.jobs ?? [], text);
    const meant = jobs.filter((job) => options.preferred?.(job));
    const [job] = meant.length === 1 ? meant : jobs;
    if (jobs.length > 1 && meant.length !== 1)
      throw severalJobs(
        `${JSON.stringify(text)} matches ${jobs.length} jobs in build ${buildName(ref)}`,
        ref,
        jobs,
      );
    if (job !== undefined) return { ref: { ...ref, job: idOf(job) }, build, job };
  }
  throw new CictlError('not_found', `build ${buildName(ref)} has no job ${JSON.stringify(text)}`, {
    hint: `cictl job list ${buildName(ref)}`,
  });
}

function matching(jobs: readonly Job[], text: string): Job[] {
  const tests: ((job: Job) => boolean)[] = [
    (job) => job.id === text,
    (job) => job.step_key === text,
    (job) => job.name === text || job.label === text,
  ];
  for (const test of tests) {
    const found = jobs.filter(test);
    if (found.length > 0) return found;
  }
  return [];
}

export function severalJobs(message: string, ref: BuildRef, jobs: readonly Job[]): CictlError {
  return new CictlError('usage', message, {
    details: jobs.map((job) => `${idOf(job)} ${labelOf(job)}`),
    hint: `use an ID: ${buildName(ref)}#${idOf(jobs[0] ?? {})}`,
  });
}

export const labelOf = (job: Job): string =>
  [jobTitle(job), partOfParallel(job), job.state && `(${stateText(job.state, job)})`]
    .filter(Boolean)
    .join(' ');

/** Exit code 9 if the service sent no ID, or one that cannot be part of a URL. */
export function idOf({ id }: Job): string {
  if (typeof id === 'string' && isSlug(id)) return id;
  const what = id ? `with the id ${JSON.stringify(id.slice(0, 80))}` : 'without an id';
  throw new CictlError('invalid_response', `the service sent a job ${what}`);
}

/** Follows `retried_in_job_id`, because each job can be retried only once. */
export async function newestExecution(
  { ref, build, job }: FoundJob,
  { client, messages }: Surroundings,
): Promise<JobRef> {
  if (!job.retried_in_job_id) return ref;
  const known = build.jobs ?? [];
  const isWhole = known.some(({ id }) => id === job.retried_in_job_id);
  const { builds } = await client();
  const { jobs } = isWhole ? build : await builds.get(ref, { includeRetriedJobs: true });
  const newest = follow(job, new Map((jobs ?? []).map((item) => [item.id, item])));
  if (newest === ref.job) return ref;
  messages.note(`job ${ref.job} was already retried; using its latest retry ${newest}`);
  return { ...ref, job: idOf({ id: newest }) };
}

function follow(job: Job, byId: ReadonlyMap<Job['id'], Job>): string {
  const seen = new Set([job.id]);
  let id = job.id ?? '';
  for (let next = job.retried_in_job_id; next && !seen.has(next);) {
    seen.add(next);
    id = next;
    next = byId.get(next)?.retried_in_job_id;
  }
  return id;
}
