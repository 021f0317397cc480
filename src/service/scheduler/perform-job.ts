/** A job in its slot, from the folder that is made for it to its outcome. */
import { findJob } from '../domain/find-job.ts';
import type { Pipeline, Job, Tree } from '../domain/records.ts';
import type { Outcome } from '../runner-port.ts';
import { logLine, type EngineState } from './engine-state.ts';
import { createJobSpec } from './job-spec.ts';
import type { Taken } from './engine-take.ts';
import { prepareWorkspace } from './workspace.ts';

/** Of a job that the end of the service has cut off. */
export const lostOutcome: Outcome = {
  exitStatus: -1,
  signal: null,
  signalReason: 'agent_stop',
  timedOut: false,
};

/** Never rejects: what cannot be started has failed. */
export async function performJob(engine: EngineState, taken: Taken): Promise<Outcome> {
  try {
    return await runInWorkspace(engine, taken);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    await logLine(engine, taken.jobId, `The job could not be started: ${reason}`);
    return { ...lostOutcome, signalReason: 'process_run_error' };
  }
}

async function runInWorkspace(
  engine: EngineState,
  { slot, tree, jobId, token }: Taken,
): Promise<Outcome> {
  const { parts } = engine;
  const { job, pipeline } = jobWithPipeline(engine, tree, jobId);
  const step = tree.plan.steps[job.step];
  const wanted = { ...tree.build, skipCheckout: step?.type === 'command' && step.skipCheckout };
  const workspace = await prepareWorkspace(parts.workspaces, pipeline.folder, wanted, jobId);
  try {
    // It may have been canceled while its folder was being prepared.
    if (!isStillWanted(engine, tree.build.id, jobId))
      return { ...lostOutcome, signalReason: 'cancel' };
    slot.running = parts.runner.start(createJobSpec(parts, tree, job, workspace, token));
    return await slot.running.done;
  } finally {
    parts.onJobEnd?.(jobId);
    await workspace.release();
  }
}

function jobWithPipeline(
  { parts }: EngineState,
  tree: Tree,
  jobId: string,
): { job: Job; pipeline: Pipeline } {
  const job = findJob(tree, jobId);
  const pipeline = parts.store.pipelines.byId(tree.build.pipelineId);
  if (job === undefined || pipeline === undefined) throw new Error('its pipeline is gone');
  return { job, pipeline };
}

function isStillWanted({ phase, parts }: EngineState, buildId: string, jobId: string): boolean {
  const tree = parts.store.builds.tree(buildId);
  return phase !== 'stopping' && tree !== undefined && findJob(tree, jobId)?.state === 'running';
}
