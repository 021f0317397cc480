/** A job with an agent that is a program of its own, from its beginning to its end. */
import { beginJob, hasJob } from '../../domain/agent-jobs.ts';
import { findJob } from '../../domain/find-job.ts';
import { finishJob } from '../../domain/job-lifecycle.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { Outcome } from '../../runner-port.ts';
import { change } from '../engine-change.ts';
import { scheduleFill } from '../engine-fill.ts';
import type { EngineState } from '../engine-state.ts';
import { changeAgent } from './change-agent.ts';
import { deadlineOf } from './deadline.ts';

export interface TakenBy {
  readonly agentId: string;
  readonly buildId: string;
  readonly jobId: string;
}

/** The agent begins with it. Throws `Refusal` where it is not, or no longer, for this agent. */
export function beginTakenJob(engine: EngineState, { agentId, buildId, jobId }: TakenBy): void {
  const { clock, newId } = engine.parts;
  const at = clock.now();
  const tree = change(engine, buildId, (before) => {
    const job = findJob(before, jobId);
    if (!hasJob(job, agentId)) return before;
    // It was canceled before it began: the agent drops it, and says no more of it.
    return job.state === 'canceling' && job.startedAt === null
      ? finishJob(before, jobId, canceled, at, newId)
      : beginJob(before, jobId, at);
  });
  const job = findJob(tree, jobId);
  const session = engine.sessions.get(agentId);
  const own = session?.job?.id === jobId ? session : undefined;
  if (!hasJob(job, agentId)) {
    if (own !== undefined) own.job = null;
    scheduleFill(engine);
    throw new Refusal('invalid', `The job ${jobId} is no longer wanted`);
  }
  if (own?.job) own.job.deadline = deadlineOf(tree, job).deadline;
}

const canceled: Outcome = {
  ...{ exitStatus: -1, signal: null, signalReason: 'cancel', timedOut: false },
};

/** Nothing where it has ended already: an agent repeats what it got no response to. */
export function endTakenJob(
  engine: EngineState,
  { agentId, buildId, jobId }: TakenBy,
  outcome: Outcome,
  isLast: boolean,
): void {
  const { clock, newId } = engine.parts;
  const session = engine.sessions.get(agentId);
  change(engine, buildId, (tree) =>
    hasJob(findJob(tree, jobId), agentId)
      ? finishJob(tree, jobId, outcome, clock.now(), newId)
      : tree,
  );
  if (session?.job?.id === jobId) session.job = null;
  if (session !== undefined && isLast) changeAgent(engine, session, { ignoreInDispatches: true });
  scheduleFill(engine);
}

/** Its code cannot be had, or its environment cannot be made: the log says why. */
export function refuseTakenJob(
  engine: EngineState,
  buildId: string,
  jobId: string,
  reason: unknown,
): void {
  const tree = engine.parts.store.builds.tree(buildId);
  const agentId = (tree && findJob(tree, jobId))?.agent?.id ?? '';
  const text = reason instanceof Error ? reason.message : String(reason);
  engine.parts.logs.appendNow(jobId, `The job could not be started: ${text}\n`);
  const outcome = { ...canceled, signalReason: 'process_run_error' } as const;
  engine.parts.store.transaction(() => {
    // As in a slot it has begun: a job that has not has no log for anybody.
    change(engine, buildId, (before) => beginJob(before, jobId, engine.parts.clock.now()));
    endTakenJob(engine, { agentId, buildId, jobId }, outcome, false);
  });
}
