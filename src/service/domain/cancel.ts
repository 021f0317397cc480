/** Builds that are ended before their time. */
import { endedByCancel } from './end-job.ts';
import { isCurrent, isDone } from './job-states.ts';
import type { Tree } from './records.ts';
import { Refusal } from './refusal.ts';
import { change } from './settle.ts';

/**
 * Cancels a build that is scheduled, running, failing or blocked: at once where nothing runs,
 * else it is `canceling` until the processes have ended. `byId` is the user who asked for it, null
 * where the service did. Throws `Refusal` for a finished one.
 */
export function cancelBuild(
  tree: Tree,
  reason: string | null,
  at: number,
  byId: string | null = null,
): Tree {
  const { build } = tree;
  if (!build.blocked && !['scheduled', 'running', 'failing'].includes(build.state)) {
    const state = build.state === 'canceling' ? 'already being canceled' : `already ${build.state}`;
    throw new Refusal('invalid', `Build can't be canceled because it is ${state}`);
  }
  const jobs = openJobs(tree).map((job) => endedByCancel(job, at));
  const canceled = { state: 'canceling', cancelReason: reason, canceledAt: at } as const;
  return change(tree, { build: { ...build, ...canceled, canceledById: byId }, jobs }, at);
}

/** A newer build of its branch came before it had started (`skip_queued_branch_builds`). */
export function skipBuild(tree: Tree, reason: string, at: number): Tree {
  const jobs = openJobs(tree).map((job) => ({
    ...job,
    state: 'skipped' as const,
    finishedAt: at,
  }));
  const skipped = { state: 'skipped', cancelReason: reason, finishedAt: at } as const;
  return change(tree, { build: { ...tree.build, ...skipped }, jobs }, at);
}

const openJobs = ({ jobs }: Tree) => jobs.filter((job) => isCurrent(job) && !isDone(job));
