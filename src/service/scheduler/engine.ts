/**
 * Applies transitions to builds and makes them real: writes them down, gives scheduled jobs to
 * free slots, ends processes, feeds outcomes back. What is decided is decided in `domain/`.
 */
import { rm } from 'node:fs/promises';
import { systemClock } from '../../clock.ts';
import { startTimer } from '../../timer.ts';
import { isDone } from '../domain/job-states.ts';
import { finishJob, recover, startJob } from '../domain/job-lifecycle.ts';
import type { Tree } from '../domain/records.ts';
import { isStorageError } from '../store/database.ts';
import type { Store } from '../store/store.ts';
import { logLine, retryDelay, type EngineParts, type EngineState } from './engine-state.ts';
import { lostOutcome, performJob } from './perform-job.ts';
import { clearSlot, createSlots, type Slot } from './slots.ts';

export interface Engine {
  /** Takes a new build in. */
  add(tree: Tree): void;
  /** Applies a transition to a build and does what follows from it; gives the new state. */
  change(buildId: string, transition: Transition): Tree;
  readonly slots: readonly Readonly<Slot>[];
  /** Why what has happened cannot be written down; null while it can. It is tried again and again. */
  storageError(): string | null;
  /** Marks what was running when the service was last killed, and begins to hand out jobs. */
  start(): Promise<void>;
  /**
   * Hands out no more jobs, ends all that runs and waits for it: TERM first or, with `kill`, KILL at
   * once, also when it is stopping already.
   */
  stop(kill: boolean): Promise<void>;
}

type Transition = (tree: Tree) => Tree;

export function createEngine(parts: EngineParts): Engine {
  const engine: EngineState = {
    parts,
    slots: createSlots(parts.slots, parts.clock.now(), parts.newId),
    jobs: new Set(),
    phase: 'new',
    isFillScheduled: false,
    storageError: null,
  };
  return {
    add: (tree) => {
      parts.store.builds.add(tree);
      scheduleFill(engine);
    },
    change: (buildId, transition) => change(engine, buildId, transition),
    slots: engine.slots,
    storageError: () => engine.storageError,
    start: () => start(engine),
    stop: (kill) => stop(engine, kill),
  };
}

function change(engine: EngineState, buildId: string, transition: Transition): Tree {
  const tree = writeTransition(engine.parts.store, buildId, transition);
  engine.storageError = null;
  for (const { id } of tree.jobs.filter(({ state }) => state === 'canceling'))
    engine.slots.find(({ jobId }) => jobId === id)?.running?.cancel();
  scheduleFill(engine);
  return tree;
}

const writeTransition = (store: Store, buildId: string, transition: Transition): Tree =>
  store.transaction(() => {
    const before = store.builds.tree(buildId);
    if (before === undefined) throw new Error(`there is no build ${buildId}`);
    const after = transition(before);
    store.builds.update(before, after);
    const ended = after.jobs.filter((job) => isDone(job));
    for (const { id } of ended) store.accounts.removeTokensOfJob(id);
    return after;
  });

/** Soon, so that whoever made a build gets the response first. */
function scheduleFill(engine: EngineState): void {
  if (engine.isFillScheduled || engine.phase !== 'running') return;
  engine.isFillScheduled = true;
  setImmediate(() => {
    engine.isFillScheduled = false;
    try {
      if (engine.phase === 'running') fillSlots(engine);
    } catch (error) {
      // The disk may be full: what is scheduled stays so for now.
      if (isStorageError(error)) engine.storageError = error.message;
      startTimer(retryDelay, () => scheduleFill(engine), { keepsProcess: false });
    }
  });
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
    const run = runJob(engine, slot, tree, id).then(() => void engine.jobs.delete(run));
    engine.jobs.add(run);
  }
}

/** Never rejects. */
async function runJob(engine: EngineState, slot: Slot, tree: Tree, jobId: string): Promise<void> {
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

const lostLine = 'The service was stopped while this job was running: it is marked as failed.';

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

async function start(engine: EngineState): Promise<void> {
  const { store, runner, workspaces, clock, newId } = engine.parts;
  store.accounts.removeJobTokens();
  await rm(workspaces, { recursive: true, force: true });
  for (const { job, buildId } of store.builds.jobsIn('running', 'canceling')) {
    runner.reap?.(job.id);
    await logLine(engine, job.id, lostLine);
    change(engine, buildId, (tree) => recover(tree, clock.now(), newId));
  }
  engine.phase = 'running';
  scheduleFill(engine);
}

async function stop(engine: EngineState, kill: boolean): Promise<void> {
  engine.phase = 'stopping';
  for (const { running } of engine.slots) {
    if (kill) running?.kill();
    else running?.cancel();
  }
  await Promise.all(engine.jobs);
}
