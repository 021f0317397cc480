/**
 * Applies transitions to builds and makes them real: writes them down, gives scheduled jobs to
 * free slots, ends processes, feeds outcomes back. What is decided is decided in `domain/`.
 */
import { rm } from 'node:fs/promises';
import { systemClock } from '../../clock.ts';
import { startTimer } from '../../timer.ts';
import type { LocalClock } from '../clock.ts';
import { isDone } from '../domain/job-states.ts';
import type { Tree } from '../domain/records.ts';
import { finishJob, recover, startJob } from '../domain/job-lifecycle.ts';
import type { Logs } from '../store/logs.ts';
import { isStorageError } from '../store/database.ts';
import type { Store } from '../store/store.ts';
import type { Urls } from '../urls.ts';
import type { Outcome, Runner } from '../runner-port.ts';
import { clearSlot, createSlots, type Slot } from './slots.ts';
import { createJobSpec } from './job-spec.ts';
import { prepareWorkspace } from './workspace.ts';

export interface EngineParts {
  readonly store: Store;
  readonly logs: Logs;
  readonly urls: Urls;
  readonly clock: LocalClock;
  readonly newId: () => string;
  readonly runner: Runner;
  readonly slots: number;
  /** Folder for the checkouts that are made for jobs; nothing in it lasts. */
  readonly workspaces: string;
  /** Folders that jobs find before their PATH. */
  readonly path: readonly string[];
}

export interface Engine {
  /** Takes a new build in. */
  add(tree: Tree): void;
  /** Applies a transition to a build and does what follows from it; gives the new state. */
  change(buildId: string, transition: (tree: Tree) => Tree): Tree;
  readonly slots: readonly Readonly<Slot>[];
  /** Why what has happened cannot be written down; null while it can. It is tried again and again. */
  fault(): string | null;
  /** Marks what was running when the service was last killed, and begins to hand out jobs. */
  start(): Promise<void>;
  /**
   * Hands out no more jobs, ends all that runs and waits for it: TERM first or, with `kill`, KILL at
   * once, also when it is stopping already.
   */
  stop(kill: boolean): Promise<void>;
}

const lostOutcome: Outcome = {
  exitStatus: -1,
  signal: null,
  signalReason: 'agent_stop',
  timedOut: false,
};
const canceled: Outcome = { ...lostOutcome, signalReason: 'cancel' };
/** Milliseconds until a write is tried again. */
const respite = 1000;
const lostLine = 'The service was stopped while this job was running: it is marked as failed.\n';

export function createEngine(parts: EngineParts): Engine {
  const { store, clock } = parts;
  const slots = createSlots(parts.slots, clock.now(), parts.newId);
  const open = new Set<Promise<void>>();
  let state: 'new' | 'running' | 'stopping' = 'new';
  let woken = false;
  let fault: string | null = null;

  function change(buildId: string, transition: (tree: Tree) => Tree): Tree {
    const after = store.transaction(() => {
      const before = store.builds.tree(buildId);
      if (before === undefined) throw new Error(`there is no build ${buildId}`);
      const next = transition(before);
      store.builds.update(before, next);
      const ended = next.jobs.filter((job) => isDone(job));
      for (const { id } of ended) store.accounts.removeTokensOfJob(id);
      return next;
    });
    fault = null;
    for (const job of after.jobs) if (job.state === 'canceling') processOf(job.id)?.cancel();
    wake();
    return after;
  }

  const processOf = (jobId: string) => slots.find((slot) => slot.jobId === jobId)?.running;

  /** Soon, so that who made a build gets its answer first. */
  function wake(): void {
    if (woken || state !== 'running') return;
    woken = true;
    setImmediate(() => {
      woken = false;
      try {
        if (state === 'running') fill();
      } catch (error) {
        // The disk may be full: what is scheduled stays so for now.
        if (isStorageError(error)) fault = error.message;
        startTimer(respite, wake, { keepsProcess: false });
      }
    });
  }

  function fill(): void {
    for (const slot of slots.filter(({ jobId }) => jobId === null)) {
      const next = store.builds.nextJob();
      if (next === undefined) return;
      const { job, buildId } = next;
      const tree = change(buildId, (before) => startJob(before, job.id, slot.agent, clock.now()));
      slot.jobId = job.id;
      slot.organizationId = tree.build.organizationId;
      const run = runJob(slot, tree, job.id).then(() => void open.delete(run));
      open.add(run);
    }
  }

  /** Never rejects. */
  async function runJob(slot: Slot, tree: Tree, jobId: string): Promise<void> {
    const outcome = await perform(slot, tree, jobId);
    clearSlot(slot);
    if (state === 'stopping') await say(jobId, lostLine);
    const told = state === 'stopping' ? lostOutcome : outcome;
    await keep(jobId, () =>
      change(tree.build.id, (before) => finishJob(before, jobId, told, clock.now())),
    );
  }

  /** What cannot be written down by the end of the service is lost, as if it had been killed. */
  async function keep(jobId: string, write: () => void): Promise<void> {
    for (;;) {
      try {
        write();
        return;
      } catch (error) {
        if (state === 'stopping' || !isStorageError(error))
          return say(jobId, `The outcome of this job could not be kept: ${messageOf(error)}\n`);
        fault = error.message;
        await systemClock.sleep(respite);
      }
    }
  }

  const say = (jobId: string, line: string): Promise<void> =>
    parts.logs.append(jobId, line).catch(() => undefined);

  /** Never rejects: what cannot be started has failed. */
  async function perform(slot: Slot, tree: Tree, jobId: string): Promise<Outcome> {
    try {
      const job = tree.jobs.find(({ id }) => id === jobId);
      const pipeline = store.pipelines.byId(tree.build.pipelineId);
      if (job === undefined || pipeline === undefined) throw new Error('its pipeline is gone');
      const { workspaces } = parts;
      const workspace = await prepareWorkspace(workspaces, pipeline.folder, tree.build, jobId);
      try {
        // It may have been canceled while its folder was being prepared.
        if (state === 'stopping' || store.builds.job(jobId)?.job.state !== 'running')
          return canceled;
        slot.running = parts.runner.start(createJobSpec(parts, tree, job, workspace));
        return await slot.running.done;
      } finally {
        await workspace.release();
      }
    } catch (error) {
      await say(jobId, `The job could not be started: ${messageOf(error)}\n`);
      return { ...lostOutcome, signalReason: 'process_run_error' };
    }
  }

  async function start(): Promise<void> {
    store.accounts.removeJobTokens();
    await rm(parts.workspaces, { recursive: true, force: true });
    for (const { job, buildId } of store.builds.jobsIn('running', 'canceling')) {
      parts.runner.reap?.(job.id);
      await say(job.id, lostLine);
      change(buildId, (tree) => recover(tree, clock.now()));
    }
    state = 'running';
    wake();
  }

  async function stop(kill: boolean): Promise<void> {
    state = 'stopping';
    for (const { running } of slots) {
      if (kill) running?.kill();
      else running?.cancel();
    }
    await Promise.all(open);
  }

  return {
    add: (tree) => {
      store.builds.add(tree);
      wake();
    },
    change,
    slots,
    fault: () => fault,
    start,
    stop,
  };
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
