/** An agent and its job part, although the job has not come to its end. */
import { hasJob, releaseJob } from '../../domain/agent-jobs.ts';
import { findJob } from '../../domain/find-job.ts';
import { finishJob } from '../../domain/job-lifecycle.ts';
import type { Tree } from '../../domain/records.ts';
import { change } from '../engine-change.ts';
import type { EngineState } from '../engine-state.ts';
import type { Session } from './session.ts';

/** A job that had not begun may go to another agent; one that ran has failed with -1. */
export function leaveJob(
  engine: EngineState,
  session: Session,
  signalReason: 'agent_lost' | 'agent_stop',
): void {
  dropOffer(engine, session);
  const { job, agent } = session;
  if (job === null) return;
  const { clock, newId, logs, logPieces } = engine.parts;
  const outcome = { exitStatus: -1, signal: null, signalReason, timedOut: false };
  const leave = (tree: Tree): Tree => {
    const now = findJob(tree, job.id);
    if (!hasJob(now, agent.id)) return tree;
    if (now.state === 'accepted') return releaseJob(tree, job.id, clock.now());
    return finishJob(tree, job.id, outcome, clock.now(), newId);
  };
  if (engine.parts.store.builds.byId(job.buildId) !== undefined) {
    const { jobs } = change(engine, job.buildId, leave);
    const left = jobs.find(({ id }) => id === job.id);
    if (left?.signalReason === signalReason)
      void logPieces
        .finish(job.id)
        .then(() => logs.append(job.id, lines[signalReason](agent.name)))
        .catch(() => undefined);
  }
  session.job = null;
}

const lines = {
  agent_lost: (name: string) =>
    `cictl: the agent ${name} was not heard of any more: this job has failed\n`,
  agent_stop: (name: string) =>
    `cictl: the agent ${name} has gone while this job was running: it has failed\n`,
};

/** The job is there for others again, where the agent has not accepted it. */
export function dropOffer({ offered, news }: EngineState, session: Session): void {
  if (session.offer === null) return;
  offered.delete(session.offer.jobId);
  news.add(session.offer.demand);
  session.offer = null;
}
