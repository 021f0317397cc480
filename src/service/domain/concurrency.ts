/** Concurrency groups: how many of the jobs of a group, in all builds, may go on at one time. */
import type { Concurrency } from '../pipeline/plan.ts';
import { findJob } from './find-job.ts';
import type { Job, Tree } from './records.ts';
import { change } from './settle.ts';

/** A job of the group beside the build that it belongs to. */
export interface GroupJob {
  readonly buildId: string;
  readonly job: Pick<Job, 'id' | 'state'>;
  /** The limit of its own step: steps of a group may have different ones. */
  readonly limit?: number;
}

/**
 * The ids of the limited jobs that may be scheduled now, in order. `jobs` are the current jobs of the
 * group that are not over, in all builds: for `ordered` in the order in which they were created, build by build, for
 * `eager` in the order in which they became ready. Whoever is scheduled or runs has a place.
 *
 * `ordered` does not let a job pass older ones of other builds that are not ready yet; in its own build
 * it may, since those may depend on it.
 */
export function admit(
  jobs: readonly GroupJob[],
  limit: number,
  method: Concurrency['method'],
): string[] {
  let before = jobs.filter(({ job }) => hasPlace(job)).length;
  const unready = new Map<string, number>();
  const admitted: string[] = [];
  for (const { buildId, job, limit: own = limit } of jobs) {
    if (hasPlace(job)) continue;
    if (job.state === 'limited') {
      if (before - (unready.get(buildId) ?? 0) >= own) {
        before++;
        continue;
      }
      admitted.push(job.id);
      before++;
    } else if (method === 'ordered') {
      unready.set(buildId, (unready.get(buildId) ?? 0) + 1);
      before++;
    }
  }
  return admitted;
}

const hasPlace = ({ state }: Pick<Job, 'state'>): boolean =>
  state === 'scheduled' || state === 'running' || state === 'canceling';

/** A limited job has got its place. Returns the tree itself where it is not limited any more. */
export function admitJob(tree: Tree, jobId: string, at: number): Tree {
  const job = findJob(tree, jobId);
  if (job?.state !== 'limited') return tree;
  return change(tree, { jobs: [{ ...job, state: 'scheduled', runnableAt: at }] }, at);
}
