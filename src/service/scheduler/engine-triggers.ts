/** Trigger jobs: their builds are made, waited for and canceled with them. */
import { cancelBuild } from '../domain/cancel.ts';
import { finishTrigger, type TriggerOutcome } from '../domain/trigger.ts';
import type { Build, Job } from '../domain/records.ts';
import { change } from './engine-change.ts';
import { makeTriggered } from './engine-trigger.ts';
import type { EngineState } from './engine-state.ts';

/** Does for each of them what its state and that of its build ask for. */
export function followTriggers(engine: EngineState): void {
  for (const id of engine.pending.triggers) {
    const found = engine.parts.store.builds.job(id);
    if (found?.job.state === 'scheduled') beginTrigger(engine, found.buildId, id);
    else if (found?.job.triggered) followTriggered(engine, found.buildId, found.job, found.job.triggered);
    engine.pending.triggers.delete(id);
  }
}

function beginTrigger(engine: EngineState, buildId: string, jobId: string): void {
  if (engine.triggering.has(jobId)) return;
  engine.triggering.add(jobId);
  const run = makeTriggered(engine, buildId, jobId).then(() => {
    engine.triggering.delete(jobId);
    engine.jobs.delete(run);
  });
  engine.jobs.add(run);
}

function followTriggered(
  engine: EngineState,
  buildId: string,
  job: Job,
  triggered: NonNullable<Job['triggered']>,
): void {
  const { store, clock } = engine.parts;
  const made = store.builds.byId(triggered.buildId);
  const isOver = made === undefined || (made.finishedAt !== null && !made.blocked);
  if (job.state === 'running' && isOver)
    change(engine, buildId, (tree) => finishTrigger(tree, job.id, outcomeOf(made), clock.now()));
  if (job.state === 'canceled' && !isOver && made.state !== 'canceling')
    change(engine, made.id, (tree) => cancelBuild(tree, reasonOf(engine, buildId), clock.now()));
}

function reasonOf({ parts }: EngineState, buildId: string): string {
  const build = parts.store.builds.byId(buildId);
  return `Build ${build?.number ?? ''}, which triggered it, was canceled`;
}

/** A build in which nothing had to run has done what it was made for; one that gave way to another has not. */
function outcomeOf(build: Build | undefined): TriggerOutcome {
  const state = build?.state ?? 'canceled';
  if (state === 'passed' || state === 'not_run') return 'passed';
  return state === 'failed' ? 'failed' : 'canceled';
}
