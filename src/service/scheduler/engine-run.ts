/** A job in its slot, until its outcome is written down. */
import { systemClock } from '../../clock.ts';
import { finishJob } from '../domain/job-lifecycle.ts';
import type { Tree } from '../domain/records.ts';
import { isStorageError } from '../store/database.ts';
import { change } from './engine-change.ts';
import { logLine, retryDelay, type EngineState } from './engine-state.ts';
import { lostOutcome, performJob } from './perform-job.ts';
import { clearSlot, type Slot } from './slots.ts';

export const lostLine =
  'The service was stopped while this job was running: it is marked as failed.';

/** Never rejects. */
export async function runJob(
  engine: EngineState,
  slot: Slot,
  tree: Tree,
  jobId: string,
): Promise<void> {
  const performed = await performJob(engine, slot, tree, jobId);
  clearSlot(slot);
  const isLost = engine.phase === 'stopping';
  if (isLost) await logLine(engine, jobId, lostLine);
  const outcome = isLost ? lostOutcome : performed;
  await writeUntilKept(engine, jobId, () =>
    change(engine, tree.build.id, (before) =>
      finishJob(before, jobId, outcome, engine.parts.clock.now(), engine.parts.newId),
    ),
  );
}

/** What cannot be written down by the end of the service is lost, as if it had been killed. */
async function writeUntilKept(
  engine: EngineState,
  jobId: string,
  write: () => void,
): Promise<void> {
  for (;;) {
    try {
      write();
      return;
    } catch (error) {
      if (engine.phase === 'stopping' || !isStorageError(error)) {
        const reason = error instanceof Error ? error.message : String(error);
        return logLine(engine, jobId, `The outcome of this job could not be kept: ${reason}`);
      }
      engine.storageError = error.message;
      await systemClock.sleep(retryDelay);
    }
  }
}
