/**
 * Applies transitions to builds and makes them real: writes them down, gives scheduled jobs to
 * free slots, ends processes, feeds outcomes back. What is decided is decided in `domain/`.
 */
import { agentsOf, type Agents } from './agents/agents.ts';
import { systemClock } from '../../common/clock.ts';
import { createChangeFeed, type ChangeFeed } from './change-feed.ts';
import { handsOf, type EngineHands, scheduleFill } from './triggers.ts';
import {
  noPending,
  type EngineParts,
  type EngineState,
  change,
  followJob,
  logLine,
} from './engine-state.ts';
import { createSlots, type Slot, lostLine } from './slots.ts';
import { restoreSessions, startSweeping } from './agents/sweep.ts';
import { recover } from '../domain/job-lifecycle.ts';
import { removeWorkspaces } from './workspace.ts';

export interface Engine extends EngineHands {
  readonly slots: readonly Readonly<Slot>[];
  /** What the slots are for, as `key=value`. */
  readonly slotTags: readonly string[];
  /** The agents beside the slots. */
  readonly agents: Agents;
  /** What changes in builds, pipelines and organizations that are watched. */
  readonly feed: ChangeFeed;
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

export function createEngine(parts: EngineParts): Engine {
  const feed = createChangeFeed(() => systemClock.now());
  const engine: EngineState = {
    parts,
    slots: createSlots(parts.slots, parts.clock.now(), parts.newId),
    ...{ sessions: new Map(), demands: new Set(), news: new Set(), offered: new Set() },
    sweeping: null,
    jobs: new Set(),
    phase: 'new',
    isFillScheduled: false,
    feed,
    pending: noPending(),
    triggering: new Set(),
    turns: new Map(),
    storageError: null,
  };
  return {
    ...handsOf(engine),
    slots: engine.slots,
    slotTags: parts.tags ?? ['queue=default'],
    agents: agentsOf(engine),
    feed,
    storageError: () => engine.storageError,
    start: () => start(engine),
    stop: (kill) => stop(engine, kill),
  };
}

// The beginning and the end of handing out jobs.

export async function start(engine: EngineState): Promise<void> {
  const { store, workspaces } = engine.parts;
  store.accounts.removeTokensOfSlots();
  store.waitingJobs.fillDemands();
  restoreSessions(engine);
  await removeWorkspaces(workspaces);
  await recoverJobs(engine);
  for (const { job, buildId } of store.builds.jobsIn(
    'limited',
    'scheduled',
    'running',
    'canceling',
  )) {
    const tree =
      job.type === 'trigger' || job.state === 'limited' ? store.builds.tree(buildId) : undefined;
    if (tree !== undefined) followJob(engine, tree, job);
  }
  for (const demand of store.waitingJobs.demands()) {
    engine.demands.add(demand);
    engine.news.add(demand);
  }
  engine.phase = 'running';
  startSweeping(engine);
  scheduleFill(engine);
}

/** Jobs that ran have lost their processes; a trigger has none. */
async function recoverJobs(engine: EngineState): Promise<void> {
  const { store, logs, runner, clock, newId } = engine.parts;
  const lost = store.builds
    .jobsIn('running', 'canceling')
    .filter(({ job }) => job.type !== 'trigger' && job.agent?.remote !== true);
  if (lost.length > 0) runner.reap?.({ jobIds: lost.map(({ job }) => job.id), logs: logs.folder });
  for (const { job, buildId } of lost) {
    await logLine(engine, job.id, lostLine);
    change(engine, buildId, (tree) => recover(tree, clock.now(), newId));
  }
}

export async function stop(engine: EngineState, kill: boolean): Promise<void> {
  engine.phase = 'stopping';
  engine.sweeping?.stop();
  for (const { ping } of engine.sessions.values()) ping?.({});
  for (const { running } of engine.slots) {
    if (kill) running?.kill();
    else running?.cancel();
  }
  // One that has just ended may have given its slot to another.
  while (engine.jobs.size > 0) await Promise.all(engine.jobs);
}
