/** The slots of this machine: agents that take one job at a time. */
import type { Agent, Job, Tree } from '../domain/records.ts';
import type { Running, Outcome } from '../runner-port.ts';
import { systemClock } from '../../common/clock.ts';
import { finishJob, startJob } from '../domain/job-lifecycle.ts';
import { isStorageError } from '../store/database.ts';
import { change, logLine, retryDelay, type EngineState } from './engine-state.ts';
import { findJob } from '../domain/find-job.ts';
import { issueJobToken } from './job-token.ts';
import { meets, readDemand, type Demand, isConnected } from '../domain/agents.ts';
import { isEarlier, type WaitingJob } from '../store/tables/jobs.ts';
import { createJobSpec } from './job-spec.ts';
import { prepareWorkspace } from './workspace.ts';

export interface Slot {
  readonly agent: Agent;
  /** The job that it has, null while it is idle. */
  jobId: string | null;
  /** Organization of that job. */
  organizationId: string | null;
  /** Its process; null while it is being prepared. */
  running: Running | null;
}

/** `count` idle slots, named `local-1` and so on. */
export const createSlots = (count: number, at: number, newId: () => string): Slot[] =>
  Array.from({ length: count }, (_, index) => ({
    agent: { id: newId(), name: `local-${index + 1}`, createdAt: at },
    jobId: null,
    organizationId: null,
    running: null,
  }));

function clearSlot(slot: Slot): void {
  slot.jobId = null;
  slot.organizationId = null;
  slot.running = null;
}

// A job in its slot, until its outcome is written down.

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

/** The job that gets the next free slot of this machine. */
export function nextForSlots(engine: EngineState): WaitingJob | undefined {
  let first: WaitingJob | undefined;
  for (const text of engine.demands) {
    if (!slotsMeet(engine, readDemand(text))) continue;
    const next = nextOf(engine, text);
    if (next !== undefined && (first === undefined || isEarlier(next, first))) first = next;
  }
  return first;
}

function nextOf({ parts, offered, demands }: EngineState, demand: string): WaitingJob | undefined {
  const found = parts.store.waitingJobs.next(demand, offered.size + 1);
  if (found.length === 0) demands.delete(demand);
  return found.find(({ job }) => !offered.has(job.id));
}

/**
 * Whether the slots take such jobs: where the organization has no agents of its own, and nobody said
 * what the slots are for, all.
 */
export function slotsMeet(
  { parts, sessions }: Pick<EngineState, 'parts' | 'sessions'>,
  { organizationId, runsOn, rules }: Demand,
): boolean {
  if (runsOn !== 'any') return runsOn === 'slots';
  if (parts.tags === undefined && !hasAgents(sessions, organizationId)) return true;
  return meets(parts.tags ?? ['queue=default'], rules);
}

/** Without a copy: there may be thousands of agents, and each change asks. */
function hasAgents(sessions: EngineState['sessions'], organizationId: string): boolean {
  for (const { agent } of sessions.values()) {
    if (agent.organizationId === organizationId && isConnected(agent)) return true;
  }
  return false;
}

// A job in its slot, from the folder that is made for it to its outcome.

/** Of a job that the end of the service has cut off. */
const lostOutcome: Outcome = {
  exitStatus: -1,
  signal: null,
  signalReason: 'agent_stop',
  timedOut: false,
};

/** Never rejects: what cannot be started has failed. */
async function performJob(engine: EngineState, taken: Taken): Promise<Outcome> {
  try {
    return await runInWorkspace(engine, taken);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    await logLine(engine, taken.job.id, `The job could not be started: ${reason}`);
    return { ...lostOutcome, signalReason: 'process_run_error' };
  }
}

async function runInWorkspace(
  engine: EngineState,
  { slot, tree, job, token }: Taken,
): Promise<Outcome> {
  const { parts } = engine;
  const pipeline = parts.store.pipelines.byId(tree.build.pipelineId);
  if (pipeline === undefined) throw new Error('its pipeline is gone');
  const step = tree.plan.steps[job.step];
  const wanted = { ...tree.build, skipCheckout: step?.type === 'command' && step.skipCheckout };
  const workspace = await prepareWorkspace(parts.workspaces, pipeline.folder, wanted, job.id);
  try {
    // It may have been canceled while its folder was being prepared.
    if (!isStillWanted(engine, tree.build.id, job.id))
      return { ...lostOutcome, signalReason: 'cancel' };
    slot.running = parts.runner.start(createJobSpec(parts, tree, job, workspace, token));
    return await slot.running.done;
  } finally {
    parts.onJobEnd?.(job.id);
    await workspace.release();
  }
}

function isStillWanted({ phase, parts }: EngineState, buildId: string, jobId: string): boolean {
  const tree = parts.store.builds.tree(buildId);
  return phase !== 'stopping' && tree !== undefined && findJob(tree, jobId)?.state === 'running';
}
