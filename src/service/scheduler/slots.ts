/** Assigns scheduled jobs to slots (the service's own agents) and runs them there. */
import { nextTurn, systemClock } from '../../common/clock.ts';
import { isConnected, meets, readDemand, type Demand } from '../domain/agents.ts';
import { findJob } from '../domain/find-job.ts';
import { finishJob, startJob } from '../domain/job-lifecycle.ts';
import type { Job, Tree } from '../domain/records.ts';
import type { Outcome } from '../runner-port.ts';
import { isStorageError } from '../store/database.ts';
import { isEarlier, type WaitingJob } from '../store/tables/jobs.ts';
import { retryDelay, type EngineState, type Slot } from './engine-state.ts';
import { createJobSpec, issueJobToken } from './job-spec.ts';
import { prepareWorkspace } from './workspace.ts';

export const lostLine =
  'The service was stopped while this job was running; the job is marked as failed.';

export function fillSlots(engine: EngineState): void {
  const isIdle = engine.slots.some(({ jobId }) => jobId === null);
  if (!isIdle || nextForSlots(engine) === undefined) return;
  begin(
    engine,
    writeAndTake(engine, () => true),
  );
}

/** Without tags, slots take every job until an agent of the organization connects. */
export function slotsMeet(engine: EngineState, { organizationId, runsOn, rules }: Demand): boolean {
  const { tags } = engine.parts;
  if (runsOn !== 'any') return runsOn === 'slots';
  if (tags === undefined && !hasAgents(engine, organizationId)) return true;
  return meets(tags ?? ['queue=default'], rules);
}

/** Does not copy the sessions, because there may be thousands and this runs after every change. */
function hasAgents({ sessions }: EngineState, organizationId: string): boolean {
  for (const { agent } of sessions.values()) {
    if (agent.organizationId === organizationId && isConnected(agent)) return true;
  }
  return false;
}

/** A job in a slot. The assignment has been written, but the job has not started. */
interface Taken {
  readonly slot: Slot;
  /** Excludes `jobs`, because only the newest version of a tree has a fast index of its jobs. */
  readonly tree: Pick<Tree, 'build' | 'plan'>;
  readonly job: Job;
  /** Secret of the job's own token. */
  readonly token: string;
}

function begin(engine: EngineState, taken: readonly Taken[]): void {
  for (const one of taken) {
    const run = runJob(engine, one).then((next) => {
      engine.jobs.delete(run);
      begin(engine, next);
      engine.wake();
    });
    engine.jobs.add(run);
  }
}

/** Runs a job. Resolves to the jobs that were assigned to slots when it ended. Never rejects. */
async function runJob(engine: EngineState, taken: Taken): Promise<readonly Taken[]> {
  const { slot, tree, job } = taken;
  const performed = await performJob(engine, taken);
  clearSlot(slot);
  const isLost = engine.phase === 'stopping';
  if (isLost) await engine.logLine(job.id, lostLine);
  const next = await writeOutcome(engine, tree.build.id, job.id, isLost ? lostOutcome : performed);
  // Keeps the service responsive when many jobs end immediately.
  await nextTurn();
  return next;
}

async function writeOutcome(
  engine: EngineState,
  buildId: string,
  jobId: string,
  outcome: Outcome,
): Promise<readonly Taken[]> {
  const { clock, newId } = engine.parts;
  const write = (): boolean => {
    engine.change(buildId, (tree) => finishJob(tree, jobId, outcome, clock.now(), newId));
    // Assigns no jobs yet if a pending check could make a job ready that must run first.
    const { phase, pendingGroups, pendingTriggers } = engine;
    return phase === 'running' && pendingGroups.size === 0 && pendingTriggers.size === 0;
  };
  for (;;) {
    try {
      return writeAndTake(engine, write);
    } catch (error) {
      // If the service stops before the outcome is written, the outcome is lost, as in a crash.
      if (engine.phase === 'stopping' || !isStorageError(error)) {
        const reason = error instanceof Error ? error.message : String(error);
        await engine.logLine(jobId, `The outcome of this job could not be stored: ${reason}`);
        return [];
      }
      engine.storageError = error.message;
      await systemClock.sleep(retryDelay);
    }
  }
}

/** Runs `write`. If it returns true, also assigns jobs to slots in the same transaction. */
function writeAndTake(engine: EngineState, write: () => boolean): readonly Taken[] {
  const taken: Taken[] = [];
  try {
    engine.store.transaction(() => {
      if (write()) takeJobs(engine, taken);
    });
    return taken;
  } catch (error) {
    for (const { slot } of taken) clearSlot(slot);
    throw error;
  }
}

function takeJobs(engine: EngineState, taken: Taken[]): void {
  for (const slot of engine.slots.filter(({ jobId }) => jobId === null)) {
    const next = nextForSlots(engine);
    if (next === undefined) return;
    const jobId = next.job.id;
    const tree = engine.change(next.buildId, (before) =>
      startJob(before, jobId, slot.agent, engine.clock.now()),
    );
    const { build, plan } = tree;
    const token = issueJobToken(engine.parts, build, jobId);
    taken.push({ slot, tree: { build, plan }, job: findJob(tree, jobId) ?? next.job, token });
    slot.jobId = jobId;
    slot.organizationId = build.organizationId;
  }
}

function clearSlot(slot: Slot): void {
  slot.jobId = null;
  slot.organizationId = null;
  slot.running = null;
}

function nextForSlots(engine: EngineState): WaitingJob | undefined {
  let first: WaitingJob | undefined;
  for (const demand of engine.demands) {
    if (!slotsMeet(engine, readDemand(demand))) continue;
    const next = nextOf(engine, demand);
    if (next !== undefined && (first === undefined || isEarlier(next, first))) first = next;
  }
  return first;
}

function nextOf({ store, offered, demands }: EngineState, demand: string): WaitingJob | undefined {
  const found = store.waitingJobs.next(demand, offered.size + 1);
  if (found.length === 0) demands.delete(demand);
  return found.find(({ job }) => !offered.has(job.id));
}

/** The outcome of a job that was interrupted when the service stopped. */
const lostOutcome: Outcome = {
  exitStatus: -1,
  signal: null,
  signalReason: 'agent_stop',
  timedOut: false,
};

/** Never rejects: a job that cannot be started fails. */
async function performJob(engine: EngineState, taken: Taken): Promise<Outcome> {
  try {
    return await runInWorkspace(engine, taken);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    await engine.logLine(taken.job.id, `The job could not be started: ${reason}`);
    return { ...lostOutcome, signalReason: 'process_run_error' };
  }
}

async function runInWorkspace(engine: EngineState, taken: Taken): Promise<Outcome> {
  const { slot, tree, job, token } = taken;
  const { parts, store } = engine;
  const pipeline = store.pipelines.byId(tree.build.pipelineId);
  if (pipeline === undefined) throw new Error('its pipeline no longer exists');
  const step = tree.plan.steps[job.step];
  const wanted = { ...tree.build, skipCheckout: step?.type === 'command' && step.skipCheckout };
  const workspace = await prepareWorkspace(parts.workspaces, pipeline.folder, wanted, job.id);
  try {
    // The job may have been canceled in the meantime.
    const now = store.builds.tree(tree.build.id);
    const isRunning = now !== undefined && findJob(now, job.id)?.state === 'running';
    if (engine.phase === 'stopping' || !isRunning)
      return { ...lostOutcome, signalReason: 'cancel' };
    slot.running = parts.runner.start(createJobSpec(parts, tree, job, workspace, token));
    return await slot.running.done;
  } finally {
    parts.onJobEnd?.(job.id);
    await workspace.release();
  }
}
