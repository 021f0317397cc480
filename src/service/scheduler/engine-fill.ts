/** Does what changes have left to do, and gives scheduled jobs to free slots. */
import { startTimer } from '../../timer.ts';
import { startJob } from '../domain/job-lifecycle.ts';
import { isStorageError } from '../store/database.ts';
import { change } from './engine-change.ts';
import { admitJobs } from './engine-groups.ts';
import { runJob } from './engine-run.ts';
import { retryDelay, type EngineState } from './engine-state.ts';
import { followTriggers } from './engine-triggers.ts';

/** Soon, so that whoever made a build gets the response first. */
export function scheduleFill(engine: EngineState): void {
  if (engine.isFillScheduled || engine.phase !== 'running') return;
  engine.isFillScheduled = true;
  setImmediate(() => {
    engine.isFillScheduled = false;
    try {
      if (engine.phase === 'running') fill(engine);
    } catch (error) {
      // The disk may be full: what is scheduled stays so for now.
      if (isStorageError(error)) engine.storageError = error.message;
      startTimer(retryDelay, () => scheduleFill(engine), { keepsProcess: false });
    }
  });
}

function fill(engine: EngineState): void {
  followTriggers(engine);
  admitJobs(engine);
  fillSlots(engine);
}

function fillSlots(engine: EngineState): void {
  const { store, clock } = engine.parts;
  for (const slot of engine.slots.filter(({ jobId }) => jobId === null)) {
    const next = store.builds.nextJob();
    if (next === undefined) return;
    const { id } = next.job;
    const tree = change(engine, next.buildId, (before) =>
      startJob(before, id, slot.agent, clock.now()),
    );
    slot.jobId = id;
    slot.organizationId = tree.build.organizationId;
    const run = runJob(engine, slot, tree, id).then(() => {
      engine.jobs.delete(run);
      scheduleFill(engine);
    });
    engine.jobs.add(run);
  }
}
