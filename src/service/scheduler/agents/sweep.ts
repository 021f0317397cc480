/** What time brings about: agents that are lost, jobs that take too long or that nobody takes. */
import { startTimer } from '../../../common/clock.ts';
import { expireJob, timeOutJob } from '../../domain/agent-jobs.ts';
import { change } from '../engine-change.ts';
import { scheduleFill } from '../engine-fill.ts';
import type { EngineState } from '../engine-state.ts';
import { disconnectAgent, loseAgent } from './change-agent.ts';
import { dropOffer } from './leave-job.ts';
import type { Session } from './session.ts';
import { timeAway } from './time-away.ts';

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
