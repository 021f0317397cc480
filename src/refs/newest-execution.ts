import type { JobRef } from '../api/refs.ts';
import type { Job } from '../api/resources/job.ts';
import { idOf, type FoundJob } from './find-job.ts';
import type { Surroundings } from './resolve.ts';

/**
 * Follows `retried_in_job_id` to the newest execution of a job, because each ID can be retried only
 * once (spec.md, "Limits").
 */
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
  messages.note(`job ${ref.job} was retried before; its newest execution is ${newest}`);
  return { ...ref, job: idOf({ id: newest }) };
}

/** The last ID of the chain, which may be a cycle. */
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
