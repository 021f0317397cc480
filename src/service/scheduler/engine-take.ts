import { findJob } from '../domain/find-job.ts';
import type { Job, Tree } from '../domain/records.ts';
import { startJob } from '../domain/job-lifecycle.ts';
import { change } from './engine-change.ts';
import type { EngineState } from './engine-state.ts';
import { issueJobToken } from './job-token.ts';
import { nextForSlots } from './next-for-slots.ts';
import { clearSlot, type Slot } from './slots.ts';

/** A job that has got a slot, written down and not begun. */
export interface Taken {
  readonly slot: Slot;
  /** Only the newest state of a build finds its jobs quickly, and this may be an older one soon. */
  readonly tree: Pick<Tree, 'build' | 'plan'>;
  readonly job: Job;
  /** The secret of its own token. */
  readonly token: string;
}

/**
 * Writes something down and gives scheduled jobs to free slots, in one transaction: the jobs that
 * come back may begin. Where it throws, nothing of it has been.
 */
export function writeAndTake(engine: EngineState, write: () => 'take' | 'leave'): readonly Taken[] {
  const taken: Taken[] = [];
  try {
    engine.parts.store.transaction(() => {
      if (write() === 'take') take(engine, taken);
    });
    return taken;
  } catch (error) {
    for (const { slot } of taken) clearSlot(slot);
    throw error;
  }
}

function take(engine: EngineState, taken: Taken[]): void {
  const { clock } = engine.parts;
  for (const slot of engine.slots.filter(({ jobId }) => jobId === null)) {
    const next = nextForSlots(engine);
    if (next === undefined) return;
    const jobId = next.job.id;
    const tree = change(engine, next.buildId, (before) =>
      startJob(before, jobId, slot.agent, clock.now()),
    );
    const job = findJob(tree, jobId) ?? next.job;
    const { build, plan } = tree;
    const token = issueJobToken(engine.parts, build, jobId);
    taken.push({ slot, tree: { build, plan }, job, token });
    slot.jobId = jobId;
    slot.organizationId = tree.build.organizationId;
  }
}
