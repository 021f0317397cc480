/** An agent asks for work. */
import { startTimer } from '../../../common/clock.ts';
import { findJob } from '../../domain/find-job.ts';
import { scheduleFill } from '../engine-fill.ts';
import type { EngineState } from '../engine-state.ts';
import { connectAgent, pausing, resumeAgent } from './change-agent.ts';
import { dropOffer, leaveJob } from './leave-job.ts';
import { offerTo } from './offer-jobs.ts';
import type { PingResponse, Session } from './session.ts';

/** Milliseconds that a ping stays open while there is nothing to say: work then reaches the agent at once. */
const longestPing = 5000;

/** Milliseconds after which an agent that asks for work has dropped a job that it should have. */
const dropAfter = 10_000;

/** Resolves when there is something to say, at most after five seconds; `signal`: the agent has gone. */
export function pingFrom(
  engine: EngineState,
  session: Session,
  signal?: AbortSignal,
): Promise<PingResponse> {
  connectAgent(engine, session);
  // One that is still open belongs to a connection that is gone.
  session.ping?.({});
  return Promise.resolve(atOnce(engine, session) ?? later(engine, session, signal));
}

/** Undefined where the agent may wait for work. */
function atOnce(engine: EngineState, session: Session): PingResponse | undefined {
  const { agent } = session;
  if (session.job !== null) noteIdle(engine, session);
  if (session.job !== null) return {};
  if (agent.stop !== null) return { action: 'disconnect' };
  if (agent.pause !== null) {
    const { until } = agent.pause;
    if (until === null || until > engine.parts.clock.now()) return pausing(agent.pause);
    resumeAgent(engine, session);
  }
  if (agent.ignoreInDispatches) return {};
  return offerAgain(engine, session);
}

/** It may not have heard of the job: the ping may have reached nobody. */
function offerAgain(engine: EngineState, session: Session): PingResponse | undefined {
  if (session.offer === null) return undefined;
  const { jobId, buildId } = session.offer;
  const tree = engine.parts.store.builds.tree(buildId);
  if (tree !== undefined && findJob(tree, jobId)?.state === 'scheduled')
    return { job: { id: jobId } };
  dropOffer(engine, session);
  return undefined;
}

/** A ping may come late, or twice: only one that goes on asking has dropped its job. */
function noteIdle(engine: EngineState, session: Session): void {
  const { job } = session;
  const at = engine.parts.clock.now();
  if (job === null) return;
  job.unclaimedSince ??= at;
  if (at - job.unclaimedSince < dropAfter) return;
  leaveJob(engine, session, 'agent_lost');
  scheduleFill(engine);
}

function later(engine: EngineState, session: Session, signal?: AbortSignal): Promise<PingResponse> {
  return new Promise((resolve) => {
    const respond = (response: PingResponse): void => {
      timer.stop();
      signal?.removeEventListener('abort', leave);
      if (session.ping === respond) session.ping = null;
      resolve(response);
    };
    const leave = (): void => respond({});
    const timer = startTimer(longestPing, leave, { keepsProcess: false });
    signal?.addEventListener('abort', leave);
    session.ping = respond;
    offerTo(engine, session);
  });
}
