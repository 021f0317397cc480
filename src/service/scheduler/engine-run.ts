/** A job in its slot, until its outcome is written down. */
import { systemClock } from '../../common/clock.ts';
import { finishJob } from '../domain/job-lifecycle.ts';
import { isStorageError } from '../store/database.ts';
import { change } from './engine-change.ts';
import { logLine, retryDelay, type EngineState } from './engine-state.ts';
import { writeAndTake, type Taken } from './engine-take.ts';
import { lostOutcome, performJob } from './perform-job.ts';
import { clearSlot } from './slots.ts';

export const lostLine =
  'The service was stopped while this job was running: it is marked as failed.';

/** Resolves to the jobs that have got a slot with its end, and may begin; never rejects. */
export async function runJob(engine: EngineState, taken: Taken): Promise<readonly Taken[]> {
  const { slot, tree } = taken;
  const jobId = taken.job.id;
  const performed = await performJob(engine, taken);
  clearSlot(slot);
  const isLost = engine.phase === 'stopping';
  if (isLost) await logLine(engine, jobId, lostLine);
  const outcome = isLost ? lostOutcome : performed;
  const { clock, newId } = engine.parts;
  return writeUntilKept(engine, jobId, () =>
    writeAndTake(engine, () => {
      change(engine, tree.build.id, (before) =>
        finishJob(before, jobId, outcome, clock.now(), newId),
      );
      return mayTake(engine) ? 'take' : 'leave';
    }),
  );
}

/** What else has followed comes first: it may want the slot for another job. */
const mayTake = ({ phase, pending }: EngineState): boolean =>
  phase === 'running' && pending.groups.size === 0 && pending.triggers.size === 0;

/** What cannot be written down by the end of the service is lost, as if it had been killed. */
async function writeUntilKept(
  engine: EngineState,
  jobId: string,
  write: () => readonly Taken[],
): Promise<readonly Taken[]> {
  for (;;) {
    try {
      return write();
    } catch (error) {
      if (engine.phase === 'stopping' || !isStorageError(error)) {
        const reason = error instanceof Error ? error.message : String(error);
        await logLine(engine, jobId, `The outcome of this job could not be kept: ${reason}`);
        return [];
      }
      engine.storageError = error.message;
      await systemClock.sleep(retryDelay);
    }
  }
}
