/** The beginning and the end of handing out jobs. */
import { restoreSessions } from './agents/restore-sessions.ts';
import { startSweeping } from './agents/sweep.ts';
import { recover } from '../domain/job-lifecycle.ts';
import { change } from './engine-change.ts';
import { scheduleFill } from './engine-fill.ts';
import { followJob } from './engine-pending.ts';
import { lostLine } from './engine-run.ts';
import { logLine, type EngineState } from './engine-state.ts';
import { removeWorkspaces } from './workspace.ts';

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
