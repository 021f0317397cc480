/** Admits jobs of concurrency groups, which span all builds of an organization. */
import { admitJob } from '../domain/job-lifecycle.ts';
import type { EngineState } from './engine-state.ts';

/** Admits as many jobs as there is room for, in every group that has changed. */
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
  // Earlier builds keep their places even if they do not need them yet, except this job's own
  // build, which may depend on it.
  const earlier = method === 'ordered' ? builds.earlierInGroup(group, next, limit) : 0;
  if (taken + earlier >= limit) return false;
  engine.change(next.buildId, (tree) => admitJob(tree, next.job.id, engine.clock.now()));
  return true;
}
