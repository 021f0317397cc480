/** An agent that is registered, with what is known of it while the service runs. */
import type { RemoteAgent } from '../../domain/agents.ts';
import { hasJob, releaseJob, finishJob } from '../../domain/job-lifecycle.ts';
import { findJob } from '../../domain/find-job.ts';
import type { Tree } from '../../domain/records.ts';
import { change, type EngineState } from '../engine-state.ts';

export interface Session {
  agent: RemoteAgent;
  /** The job that it has accepted. */
  job: SessionJob | null;
  /** The job that it is to accept. */
  offer: Offer | null;
  /** Sends the response to the ping that it has open. */
  ping: ((response: PingResponse) => void) | null;
  /** When it was last heard of, itself or its job. */
  lastSeenAt: number;
}

interface Offer {
  readonly jobId: string;
  readonly buildId: string;
  /** What the job demands of an agent. */
  readonly demand: string;
  readonly at: number;
}

interface SessionJob {
  readonly id: string;
  readonly buildId: string;
  readonly organizationId: string;
  /** When it has to be over; null for no limit, or while it has not begun. */
  deadline: number | null;
  /** Since when the agent pings as if it had no job, and the job is silent. */
  unclaimedSince: number | null;
}

/** What an agent gets to know when it asks; empty: nothing. */
export interface PingResponse {
  readonly job?: { readonly id: string };
  readonly action?: 'disconnect' | 'pause';
  /** A line for the log of the agent. */
  readonly message?: string;
}

export const newSession = (agent: RemoteAgent, at: number): Session => ({
  ...{ agent, job: null, offer: null, ping: null, lastSeenAt: at },
});

/** Whether it may be given a job now, but for its tags. */
export const isFree = ({ agent, job, offer }: Session): boolean =>
  agent.state === 'connected' &&
  !agent.ignoreInDispatches &&
  agent.stop === null &&
  agent.pause === null &&
  job === null &&
  offer === null;

// An agent and its job part, although the job has not come to its end.

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
