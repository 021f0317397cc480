/** Lets jobs through that share a limit, across the builds of an organization. */
import { admitJob } from '../domain/job-lifecycle.ts';
import type { Concurrency } from '../pipeline/plan.ts';
import type { LimitedJob } from '../store/tables/jobs.ts';
import { change, type EngineState } from './engine-state.ts';

/** As many as there is room for, in all groups in which something has changed. */
export function admitJobs(engine: EngineState): void {
  for (const group of engine.pending.groups) {
    while (admitNext(engine, group));
    engine.pending.groups.delete(group);
  }
}

/** Whether one was let through. */
function admitNext(engine: EngineState, group: string): boolean {
  const { store, clock } = engine.parts;
  const next = store.builds.nextLimited(group);
  const limits = next && concurrencyOf(engine, next);
  if (next === undefined || limits === undefined) return false;
  const { limit, method } = limits;
  const taken = store.builds.groupLoad(group);
  // In order, older builds have a place even before they need it; the own build may depend on this job.
  const earlier = method === 'ordered' ? store.builds.earlierInGroup(group, next, limit) : 0;
  if (taken + earlier >= limit) return false;
  change(engine, next.buildId, (tree) => admitJob(tree, next.job.id, clock.now()));
  return true;
}

const concurrencyOf = (
  { parts }: EngineState,
  { buildId, job }: LimitedJob,
): Concurrency | undefined => {
  const step = parts.store.builds.tree(buildId)?.plan.steps[job.step];
  return (step?.type === 'command' ? step.concurrency : undefined) ?? undefined;
};
