/** What time brings about: agents that are lost, jobs that take too long or that nobody takes. */
import { startTimer } from '../../../common/clock.ts';
import { expireJob, timeOutJob } from '../../domain/job-lifecycle.ts';
import { change, type EngineState } from '../engine-state.ts';
import { scheduleFill } from '../triggers.ts';
import { disconnectAgent, loseAgent } from './change-agent.ts';
import { dropOffer, type Session, newSession } from './session.ts';
import { isWithAgent } from '../../domain/job-states.ts';
import { deadlineOf } from './jobs.ts';

/** Milliseconds between two looks. */
const pace = 1000;
const minute = 60_000;
const day = 24 * 60 * minute;

/** Milliseconds in which an agent has to accept what it was offered. */
const longestOffer = 30_000;
/** Milliseconds for which a job that has ended elsewhere may still be heard. */
const lateTime = 5 * minute;

export function startSweeping(engine: EngineState): void {
  const swept: Swept = { at: null, cleanedAt: 0, tokensTo: 0, agentsTo: 0 };
  const turn = (): void => {
    try {
      sweep(engine, swept);
    } catch {
      // The disk may be full; the next look is soon.
    }
    if (engine.phase === 'running') start();
  };
  const start = (): void => {
    engine.sweeping = startTimer(pace, turn, { keepsProcess: false });
  };
  start();
}

/** When it was last done. */
interface Swept {
  /** Null for never. */
  at: number | null;
  cleanedAt: number;
  /** Places of the last token and the last agent that were looked at. */
  tokensTo: number;
  agentsTo: number;
}

function sweep(engine: EngineState, swept: Swept): void {
  const now = engine.parts.clock.now();
  const { heartbeat, expireAfter } = engine.parts.agents;
  const away = timeAway(now - (swept.at ?? now), { pace, heartbeat });
  swept.at = now;
  for (const session of [...engine.sessions.values()]) {
    session.lastSeenAt += away;
    sweepAgent(engine, session, now);
  }
  const { accounts, agents } = engine.parts.store;
  swept.tokensTo = accounts.removeOldTokens(now - lateTime, swept.tokensTo);
  swept.agentsTo = agents.removeGone(now - day, swept.agentsTo);
  // Late by a tenth at most: a user who has jobs wait for seconds alone does not wait for a minute.
  if (now - swept.cleanedAt < Math.min(minute, expireAfter / 10)) return;
  swept.cleanedAt = now;
  expireJobs(engine, now);
}

function sweepAgent(engine: EngineState, session: Session, now: number): void {
  const { agent, job, offer } = session;
  const silence = now - session.lastSeenAt;
  if (offer !== null && now - offer.at > longestOffer) {
    dropOffer(engine, session);
    scheduleFill(engine);
  }
  if (job?.deadline != null && now >= job.deadline) {
    job.deadline = null;
    change(engine, job.buildId, (tree) => timeOutJob(tree, job.id, now));
    scheduleFill(engine);
  }
  if (silence <= 3 * engine.parts.agents.heartbeat) return;
  if (agent.state === 'registered' || (agent.state === 'lost' && silence > day))
    disconnectAgent(engine, session);
  else if (agent.state === 'connected') loseAgent(engine, session);
  else return;
  scheduleFill(engine);
}

function expireJobs(engine: EngineState, now: number): void {
  const { store, agents } = engine.parts;
  for (const { buildId, job } of store.waitingJobs.before(now - agents.expireAfter))
    change(engine, buildId, (tree) => expireJob(tree, job.id, now));
  scheduleFill(engine);
}

/**
 * How much of the milliseconds since the last look nobody could have been heard: all of them where the
 * machine has slept or was far too busy. A look that is a little late is nothing of that kind, also
 * where agents say very often that they live.
 */
export const timeAway = (
  passed: number,
  { pace, heartbeat }: { readonly pace: number; readonly heartbeat: number },
): number => (passed > pace + heartbeat ? passed : 0);

/** The agents that were there when the service ended: the time without it is no silence of theirs. */
export function restoreSessions({ parts, sessions }: EngineState): void {
  const { store, clock } = parts;
  for (const agent of store.agents.present())
    sessions.set(agent.id, newSession(agent, clock.now()));
  for (const { job, buildId } of store.builds.jobsIn(
    ...(['accepted', 'running', 'timing_out', 'canceling'] as const),
  )) {
    const session = sessions.get(job.agent?.id ?? '');
    const tree = store.builds.tree(buildId);
    if (session === undefined || tree === undefined || !isWithAgent(job)) continue;
    const { organizationId } = tree.build;
    session.job = { id: job.id, buildId, organizationId, ...deadlineOf(tree, job) };
  }
}
