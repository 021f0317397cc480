/** Limits how many jobs of a concurrency group run at once, in all builds of an organization. */
import { admitJob } from '../domain/job-lifecycle.ts';
import type { EngineState } from './engine-state.ts';

/** Admits as many jobs as possible to every concurrency group that has changed. */
export function admitJobs(engine: EngineState): void {
  for (const group of engine.pendingGroups) {
    while (admitNext(engine, group));
    engine.pendingGroups.delete(group);
  }
}

function admitNext(engine: EngineState, group: string): boolean {
  const { builds } = engine.store;
  const next = builds.nextLimited(group);
  const step = next && builds.tree(next.buildId)?.plan.steps[next.job.step];
  if (next === undefined || step?.type !== 'command' || !step.concurrency) return false;
  const { limit, method } = step.concurrency;
  const taken = builds.groupLoad(group);
  // Jobs of earlier builds come first, even if they are not ready. Earlier jobs of the same build
  // do not come first, because they may depend on this job.
  const earlier = method === 'ordered' ? builds.earlierInGroup(group, next, limit) : 0;
  if (taken + earlier >= limit) return false;
  engine.change(next.buildId, (tree) => admitJob(tree, next.job.id, engine.clock.now()));
  return true;
}
