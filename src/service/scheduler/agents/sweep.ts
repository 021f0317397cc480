/** Regular checks for lost agents, job timeouts, and jobs that no agent takes. */
import { attempt } from '../../../common/attempt.ts';
import { startTimer } from '../../../common/clock.ts';
import { expireJob, timeOutJob } from '../../domain/job-lifecycle.ts';
import { isWithAgent } from '../../domain/job-states.ts';
import { newSession, type EngineState, type Session } from '../engine-state.ts';
import { disconnectAgent, dropOffer, loseAgent } from './change-agent.ts';
import { deadlineOf } from './jobs.ts';

/** Milliseconds between sweeps. */
const pace = 1000;
const minute = 60_000;
const day = 24 * 60 * minute;

const longestOffer = 30_000;
/** Milliseconds after the end of a job during which its agent may still send data. */
const lateTime = 5 * minute;

export function startSweeping(engine: EngineState): void {
  const { clock, store, parts } = engine;
  const { heartbeat, expireAfter } = parts.agents;
  let last: number | null = null;
  let expiredAt = 0;
  // The positions at which the next sweep continues to check tokens and agents.
  let [tokensTo, agentsTo] = [0, 0];
  const sweep = (now: number): void => {
    const away = timeAway(now - (last ?? now), { pace, heartbeat });
    last = now;
    for (const session of [...engine.sessions.values()]) {
      session.lastSeenAt += away;
      sweepAgent(engine, session, now);
    }
    tokensTo = store.accounts.removeOldTokens(now - lateTime, tokensTo);
    agentsTo = store.agents.removeGone(now - day, agentsTo);
    // Waiting jobs are checked once a minute, or more often if `expireAfter` is under ten minutes.
    if (now - expiredAt < Math.min(minute, expireAfter / 10)) return;
    expiredAt = now;
    for (const { buildId, job } of store.waitingJobs.before(now - expireAfter))
      engine.change(buildId, (tree) => expireJob(tree, job.id, now));
  };
  const turn = (): void => {
    if (engine.phase !== 'running') return;
    // A sweep fails if the disk is full. The next sweep retries.
    attempt(() => sweep(clock.now()));
    startTimer(pace, turn, { keepsProcess: false });
  };
  startTimer(pace, turn, { keepsProcess: false });
}

function sweepAgent(engine: EngineState, session: Session, now: number): void {
  const { agent, job, offer } = session;
  const silence = now - session.lastSeenAt;
  if (offer !== null && now - offer.at > longestOffer) dropOffer(engine, session);
  if (job?.deadline != null && now >= job.deadline) {
    job.deadline = null;
    engine.change(job.buildId, (tree) => timeOutJob(tree, job.id, now));
  }
  if (silence <= 3 * engine.parts.agents.heartbeat) return;
  if (agent.state === 'registered' || (agent.state === 'lost' && silence > day))
    disconnectAgent(engine, session);
  else if (agent.state === 'connected') loseAgent(engine, session);
}

/**
 * Returns the milliseconds since the last sweep if the machine was asleep or too busy to receive
 * heartbeats. Returns 0 if the sweep is only slightly late, even if heartbeats are frequent.
 */
export const timeAway = (
  passed: number,
  { pace, heartbeat }: { readonly pace: number; readonly heartbeat: number },
): number => (passed > pace + heartbeat ? passed : 0);

/** Restores the agents of the previous service, as if they had just sent a heartbeat. */
export function restoreSessions({ store, clock, sessions }: EngineState): void {
  for (const agent of store.agents.present())
    sessions.set(agent.id, newSession(agent, clock.now()));
  for (const { job, buildId } of store.builds.jobsIn(
    ...(['accepted', 'running', 'timing_out', 'canceling'] as const),
  )) {
    const session = sessions.get(job.agent?.id ?? '');
    const tree = store.builds.tree(buildId);
    if (session === undefined || tree === undefined || !isWithAgent(job)) continue;
    const { organizationId } = tree.build;
    const deadline = deadlineOf(tree, job);
    session.job = { id: job.id, buildId, organizationId, deadline, unclaimedSince: null };
  }
}
