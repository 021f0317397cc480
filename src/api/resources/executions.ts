import type { Job } from './job.ts';

/** A job as it stands, with the executions that a retry has replaced. */
export interface Execution {
  readonly job: Job;
  /** The oldest first; empty where it was never retried. */
  readonly earlier: readonly Job[];
}

/**
 * Parts the newest execution of each job from the earlier ones. Both ends of a retry may name the
 * other (specification, "Job": `retried_in_job_id`; newer services: `retry_source`). A retried job
 * whose successor is not in the list stands for itself: better shown twice than not at all.
 */
export function executions(jobs: readonly Job[]): Execution[] {
  const links = predecessors(jobs);
  const replaced = new Set(links.values());
  return jobs
    .filter((job) => !replaced.has(job))
    .map((job) => ({ job, earlier: chain(job, links) }));
}

/** The job that each retry has replaced, by the id of the retry. */
function predecessors(jobs: readonly Job[]): Map<string, Job> {
  const byId = new Map(jobs.map((job) => [job.id ?? '', job]));
  const links = new Map<string, Job>();
  for (const job of jobs) {
    const successor = job.retried_in_job_id;
    if (successor && successor !== job.id && byId.has(successor)) links.set(successor, job);
    const source = byId.get(sourceOf(job) ?? '');
    if (source !== undefined && source !== job && job.id) links.set(job.id, source);
  }
  return acyclic(jobs, links);
}

function sourceOf({ retry_source: source }: Job): string | undefined {
  if (typeof source !== 'object' || source === null || !('job_id' in source)) return undefined;
  return typeof source.job_id === 'string' ? source.job_id : undefined;
}

/** A cycle of retries would hide all its jobs: its links do not count. */
function acyclic(jobs: readonly Job[], links: Map<string, Job>): Map<string, Job> {
  const isFirst = (job: Job): boolean => !links.has(job.id ?? '');
  const sound = new Map<string, Job>();
  for (const job of jobs) {
    const before = chain(job, links);
    const [first] = before;
    const direct = before.at(-1);
    if (first !== undefined && direct !== undefined && isFirst(first))
      sound.set(job.id ?? '', direct);
  }
  return sound;
}

function chain(job: Job, links: ReadonlyMap<string, Job>): Job[] {
  const found: Job[] = [];
  const seen = new Set([job]);
  for (let at = links.get(job.id ?? ''); at !== undefined && !seen.has(at);) {
    seen.add(at);
    found.unshift(at);
    at = links.get(at.id ?? '');
  }
  return found;
}
