/** A job in its slot, from the folder that is made for it to its outcome. */
import { findJob } from '../domain/find-job.ts';
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
