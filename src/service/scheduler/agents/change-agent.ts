/** Changes to agents. Each change is written to the store, then applied to the session. */
import type { Pause, RemoteAgent } from '../../domain/agents.ts';
import { findJob } from '../../domain/find-job.ts';
import { cancelJob, finishJob, hasJob, releaseJob } from '../../domain/job-lifecycle.ts';
import type { Tree } from '../../domain/records.ts';
import type { EngineState, PingResponse, Session } from '../engine-state.ts';

/** Wakes the engine, because waiting jobs may be able to run after the change. */
export function changeAgent(
  engine: EngineState,
  session: Session,
  members: Partial<RemoteAgent>,
): void {
  const changed = { ...session.agent, ...members };
  engine.store.agents.update(changed);
  session.agent = changed;
  engine.wake();
}

/** Connects an agent, for the first time or after it was lost. */
export function connectAgent(engine: EngineState, session: Session): void {
  const at = engine.clock.now();
  session.lastSeenAt = at;
  if (session.agent.state === 'connected') return;
  changeAgent(engine, session, { state: 'connected', connectedAt: at, lostAt: null });
}

/** Disconnects an agent that shut down cleanly. If it still has a job, the job fails. */
export function disconnectAgent(engine: EngineState, session: Session): void {
  const at = engine.clock.now();
  engine.store.transaction(() => {
    leaveJob(engine, session, 'agent_stop');
    changeAgent(engine, session, { state: 'disconnected', disconnectedAt: at });
  });
  session.ping?.({});
  engine.sessions.delete(session.agent.id);
}

/** Marks a silent agent as lost. Its next request connects it again. */
export function loseAgent(engine: EngineState, session: Session): void {
  engine.store.transaction(() => {
    leaveJob(engine, session, 'agent_lost');
    changeAgent(engine, session, { state: 'lost', lostAt: engine.clock.now() });
  });
  session.ping?.({});
}

/** Stops the agent after its job or, with `atOnce`, together with its job. */
export function stopAgent(engine: EngineState, session: Session, atOnce: boolean): void {
  const { job } = session;
  changeAgent(engine, session, { stop: atOnce ? 'at once' : 'gracefully' });
  dropOffer(engine, session);
  session.ping?.({ action: 'disconnect' });
  if (atOnce && job !== null)
    engine.change(job.buildId, (tree) => cancelJob(tree, job.id, engine.clock.now()));
}

export function pauseAgent(engine: EngineState, session: Session, pause: Pause): void {
  changeAgent(engine, session, { pause });
  dropOffer(engine, session);
  session.ping?.(pauseResponse(pause));
}

export const pauseResponse = ({ note }: Pause): PingResponse => ({
  action: 'pause',
  ...(note !== '' && { message: note }),
});

/** Takes the agent's job away. An accepted job can go to another agent; a running job fails. */
export function leaveJob(
  engine: EngineState,
  session: Session,
  signalReason: 'agent_lost' | 'agent_stop',
): void {
  dropOffer(engine, session);
  const { job, agent } = session;
  if (job === null) return;
  const { clock, newId, logs, logPieces, store } = engine.parts;
  const outcome = { exitStatus: -1, signal: null, signalReason, timedOut: false };
  const leave = (tree: Tree): Tree => {
    const now = findJob(tree, job.id);
    if (!hasJob(now, agent.id)) return tree;
    if (now.state === 'accepted') return releaseJob(tree, job.id, clock.now());
    return finishJob(tree, job.id, outcome, clock.now(), newId);
  };
  if (store.builds.byId(job.buildId) !== undefined) {
    const left = findJob(engine.change(job.buildId, leave), job.id);
    if (left?.signalReason === signalReason)
      void logPieces
        .finish(job.id)
        .then(() => logs.append(job.id, lines[signalReason](agent.name)))
        .catch(() => undefined);
  }
  session.job = null;
}

const lines = {
  agent_lost: (name: string) => `cictl: lost contact with agent ${name}; the job has failed\n`,
  agent_stop: (name: string) =>
    `cictl: agent ${name} disconnected while running this job; the job has failed\n`,
};

/** Withdraws an offer that the agent has not accepted, so that another agent can get the job. */
export function dropOffer(engine: EngineState, session: Session): void {
  if (session.offer === null) return;
  engine.offered.delete(session.offer.jobId);
  engine.news.add(session.offer.demand);
  session.offer = null;
  engine.wake();
}
