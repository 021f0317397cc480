/** What follows from changes, beyond the build itself: noted here, done soon (`engine-fill.ts`). */
import { demandOf } from '../domain/demand.ts';
import { isDone } from '../domain/job-states.ts';
import type { Job, Tree } from '../domain/records.ts';
import { concurrencyGroup } from '../store/write-jobs.ts';
import type { EngineState } from './engine-state.ts';

/** To be looked at again: that something stands here is no proof that there is something to do. */
export interface Pending {
  /** Groups of concurrency in which there may be room, or somebody who wants it. */
  readonly groups: Set<string>;
  /** Ids of trigger jobs that may have to make or cancel their builds, or whose builds have ended. */
  readonly triggers: Set<string>;
}

export const noPending = (): Pending => ({ groups: new Set(), triggers: new Set() });

export function followNew(engine: EngineState, tree: Tree): void {
  for (const job of tree.jobs) followJob(engine, tree, job);
}

export function followJob(
  { pending, demands, news, offered }: EngineState,
  { build, plan }: Tree,
  job: Job,
): void {
  if (job.state !== 'scheduled') offered.delete(job.id);
  else if (job.type === 'script') {
    const demand = demandOf(build, job, plan.steps[job.step]);
    demands.add(demand);
    news.add(demand);
  }
  if (job.type === 'trigger') pending.triggers.add(job.id);
  const group =
    job.state === 'limited' || isDone(job) ? concurrencyGroup(build, plan.steps[job.step]) : null;
  if (group !== null) pending.groups.add(group);
}

/** A build that ends is what the job waits for that made it. */
export function followBuild({ pending }: EngineState, before: Tree, { build, plan }: Tree): void {
  if (before.build === build) return;
  if (build.triggeredFrom !== null && build.finishedAt !== null)
    pending.triggers.add(build.triggeredFrom.jobId);
  // A build that waits for a person holds nobody up in its groups.
  if (build.blocked !== before.build.blocked)
    for (const step of plan.steps) {
      const group = concurrencyGroup(build, step);
      if (group !== null) pending.groups.add(group);
    }
}
