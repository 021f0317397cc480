/** What becomes of an agent itself: written down, then true. */
import type { Pause, RemoteAgent } from '../../domain/agents.ts';
import { cancelJob } from '../../domain/job-lifecycle.ts';
import { change, type EngineState } from '../engine-state.ts';
import { dropOffer, leaveJob, type Session } from './session.ts';

export function changeAgent(
  { parts }: EngineState,
  session: Session,
  members: Partial<RemoteAgent>,
): void {
  const changed = { ...session.agent, ...members };
  parts.store.agents.update(changed);
  session.agent = changed;
}

/** It is there, for the first time or again. */
export function connectAgent(engine: EngineState, session: Session): void {
  const at = engine.parts.clock.now();
  session.lastSeenAt = at;
  if (session.agent.state === 'connected') return;
  changeAgent(engine, session, { state: 'connected', connectedAt: at, lostAt: null });
}

/** It has gone in order; what it still had has failed. */
export function disconnectAgent(engine: EngineState, session: Session): void {
  const at = engine.parts.clock.now();
  engine.parts.store.transaction(() => {
    leaveJob(engine, session, 'agent_stop');
    changeAgent(engine, session, { state: 'disconnected', disconnectedAt: at });
  });
  session.ping?.({});
  engine.sessions.delete(session.agent.id);
}

/** Nobody has heard of it for too long. Where it speaks again, it is back. */
export function loseAgent(engine: EngineState, session: Session): void {
  engine.parts.store.transaction(() => {
    leaveJob(engine, session, 'agent_lost');
    changeAgent(engine, session, { state: 'lost', lostAt: engine.parts.clock.now() });
  });
  session.ping?.({});
}

/** It ends after its job or, at once, with it. */
export function stopAgent(engine: EngineState, session: Session, atOnce: boolean): void {
  const { job } = session;
  changeAgent(engine, session, { stop: atOnce ? 'at once' : 'gracefully' });
  dropOffer(engine, session);
  session.ping?.({ action: 'disconnect' });
  if (atOnce && job !== null)
    change(engine, job.buildId, (tree) => cancelJob(tree, job.id, engine.parts.clock.now()));
}

/** It gets no jobs until `resumeAgent`, or until the pause is over. */
export function pauseAgent(engine: EngineState, session: Session, pause: Pause): void {
  changeAgent(engine, session, { pause });
  dropOffer(engine, session);
  session.ping?.(pausing(pause));
}

export function resumeAgent(engine: EngineState, session: Session): void {
  changeAgent(engine, session, { pause: null });
}

export const pausing = ({ note }: Pause) =>
  ({ action: 'pause', ...(note !== '' && { message: note }) }) as const;
