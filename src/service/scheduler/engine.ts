/** Runs builds. The rules for jobs and builds are in `domain/`. */
import { recover } from '../domain/job-lifecycle.ts';
import { Agents } from './agents/agents.ts';
import { offerJobs } from './agents/jobs.ts';
import { restoreSessions, startSweeping } from './agents/sweep.ts';
import type { ChangeFeed } from './change-feed.ts';
import { EngineState, type EngineParts, type Slot } from './engine-state.ts';
import { admitJobs } from './limits.ts';
import { fillSlots, lostLine } from './slots.ts';
import { followTriggers } from './triggers.ts';
import { removeWorkspaces } from './workspace.ts';

export interface Engine extends Pick<EngineState, 'add' | 'change' | 'inTurn'> {
  readonly slots: readonly Readonly<Slot>[];
  /** `key=value` */
  readonly slotTags: readonly string[];
  readonly agents: Agents;
  readonly feed: ChangeFeed;
  storageError(): string | null;
  /** Recovers jobs that were running when the service was killed. Then starts to assign jobs. */
  start(): Promise<void>;
  /**
   * Stops assigning jobs, stops the running jobs and waits for them. Jobs get TERM first. With
   * `kill`, they get KILL immediately, even if the engine is already stopping.
   */
  stop(kill: boolean): Promise<void>;
}

export function createEngine(parts: EngineParts): Engine {
  const engine = new EngineState(parts, (awake) => {
    followTriggers(awake);
    admitJobs(awake);
    fillSlots(awake);
    offerJobs(awake);
  });
  return {
    add: (tree) => engine.add(tree),
    change: (buildId, transition) => engine.change(buildId, transition),
    inTurn: (name, action) => engine.inTurn(name, action),
    slots: engine.slots,
    slotTags: parts.tags ?? ['queue=default'],
    agents: new Agents(engine),
    feed: engine.feed,
    storageError: () => engine.storageError,
    start: () => start(engine),
    stop: (kill) => stop(engine, kill),
  };
}

async function start(engine: EngineState): Promise<void> {
  const { store } = engine;
  store.accounts.removeTokensOfSlots();
  store.waitingJobs.fillDemands();
  restoreSessions(engine);
  await removeWorkspaces(engine.parts.workspaces);
  await recoverJobs(engine);
  for (const { job, buildId } of store.builds.jobsIn(
    'limited',
    'scheduled',
    'running',
    'canceling',
  )) {
    const isPending = job.type === 'trigger' || job.state === 'limited';
    const tree = isPending ? store.builds.tree(buildId) : undefined;
    if (tree !== undefined) engine.follow(tree, job);
  }
  for (const demand of store.waitingJobs.demands()) {
    engine.demands.add(demand);
    engine.news.add(demand);
  }
  engine.phase = 'running';
  startSweeping(engine);
  engine.wake();
}

/** Ends the jobs that were running in slots. Trigger jobs have no processes, so they continue. */
async function recoverJobs(engine: EngineState): Promise<void> {
  const { logs, runner, clock, newId } = engine.parts;
  const lost = engine.store.builds
    .jobsIn('running', 'canceling')
    .filter(({ job }) => job.type !== 'trigger' && job.agent?.remote !== true);
  if (lost.length > 0) runner.reap?.({ jobIds: lost.map(({ job }) => job.id), logs: logs.folder });
  for (const { job, buildId } of lost) {
    await engine.logLine(job.id, lostLine);
    engine.change(buildId, (tree) => recover(tree, clock.now(), newId));
  }
}

async function stop(engine: EngineState, kill: boolean): Promise<void> {
  engine.phase = 'stopping';
  for (const { ping } of engine.sessions.values()) ping?.({});
  for (const { running } of engine.slots) {
    if (kill) running?.kill();
    else running?.cancel();
  }
  // Repeated, because a job that ends may hand its slot to another job.
  while (engine.jobs.size > 0) await Promise.all(engine.jobs);
}
