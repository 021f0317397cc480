/** Does what changes have left to do, and gives scheduled jobs to free slots. */
import { offerJobs } from './agents/offer-jobs.ts';
import { startTimer } from '../../common/clock.ts';
import { isStorageError } from '../store/database.ts';
import { admitJobs } from './engine-groups.ts';
import { runJob } from './engine-run.ts';
import { retryDelay, type EngineState } from './engine-state.ts';
import { nextForSlots } from './next-for-slots.ts';
import { writeAndTake, type Taken } from './engine-take.ts';
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
  offerJobs(engine);
}

function fillSlots(engine: EngineState): void {
  const isFree = engine.slots.some(({ jobId }) => jobId === null);
  if (!isFree || nextForSlots(engine) === undefined) return;
  beginJobs(
    engine,
    writeAndTake(engine, () => 'take'),
  );
}

function beginJobs(engine: EngineState, taken: readonly Taken[]): void {
  for (const one of taken) {
    const run = runJob(engine, one)
      .then(inNextTurn)
      .then((next) => {
        engine.jobs.delete(run);
        beginJobs(engine, next);
        scheduleFill(engine);
      });
    engine.jobs.add(run);
  }
}

/** Jobs that end as soon as they have begun would leave nobody else a turn. */
const inNextTurn = <T>(value: T): Promise<T> =>
  new Promise((resolve) => setImmediate(() => resolve(value)));
