/** What others may ask of the agents beside the slots, and about them. */
import { readDemand, meets, type Demand, type RemoteAgent } from '../../domain/agents.ts';
import type { Outcome } from '../../runner-port.ts';
import { scheduleFill } from '../triggers.ts';
import type { EngineState } from '../engine-state.ts';
import { connectAgent, pausing, resumeAgent } from './change-agent.ts';
import * as changes from './change-agent.ts';
import { type PingResponse, type Session, newSession, dropOffer, leaveJob } from './session.ts';
import {
  beginTakenJob,
  endTakenJob,
  refuseTakenJob,
  type TakenBy,
  acceptOffer,
  acquireJob,
  type TakenJob,
} from './jobs.ts';
import { issueToken } from '../../accounts.ts';
import { startTimer } from '../../../common/clock.ts';
import { findJob } from '../../domain/find-job.ts';
import { offerTo } from './offer-jobs.ts';
import { slotsMeet } from '../slots.ts';

/** An agent as it is now. */
interface PresentAgent {
  readonly agent: RemoteAgent;
  /** The job that it has, and the organization of that. */
  readonly jobId: string | null;
  /** When it was last heard of. */
  readonly lastSeenAt: number;
}

export interface Agents {
  /** Those of an organization, or of all, that have not gone: connected, lost, or about to connect. */
  present(organizationId?: string): readonly PresentAgent[];
  find(id: string): PresentAgent | undefined;
  register(given: NewAgent): { readonly agent: RemoteAgent; readonly secret: string };
  /** False where it has gone. */
  connect(id: string): boolean;
  disconnect(id: string): void;
  /** A sign of life, of itself or of its job; false where it has gone. */
  seen(id: string, jobId?: string): boolean;
  /** Undefined where it has gone. */
  ping(id: string, signal?: AbortSignal): Promise<PingResponse> | undefined;
  /** Both throw `Refusal`, the second `NotYetError` as well; `secret` is that of the agent's own token. */
  accept(id: string, jobId: string, secret: string): TakenJob;
  acquire(id: string, jobId: string, secret: string): TakenJob;
  /** Throws `Refusal` where nobody wants the job any more. */
  begin(of: TakenBy): void;
  /** Resolves when the outcome is written down; nothing where the job has ended, or is another agent's. */
  end(of: TakenBy, outcome: Outcome, isLast: boolean): Promise<void>;
  /** The job that an agent has accepted cannot be run: it has failed with this reason. */
  refuse(buildId: string, jobId: string, reason: unknown): void;
  /** False where it has gone. It ends after its job or, `atOnce`, with it. */
  stop(id: string, atOnce: boolean): boolean;
  /** False where it has gone; `until` in milliseconds since the epoch. */
  pause(id: string, note: string, until: number | null, byId: string | null): boolean;
  resume(id: string): boolean;
  /** Whether an agent or a slot that is there meets a demand (`domain/demand.ts`): else jobs wait. */
  serves(demand: string): boolean;
}

export function agentsOf(engine: EngineState): Agents {
  const { sessions } = engine;
  /** Does something with an agent that is there; says whether it is. */
  const withSession = (id: string, action: (session: Session) => void): boolean => {
    const session = sessions.get(id);
    if (session === undefined) return false;
    action(session);
    scheduleFill(engine);
    return true;
  };
  const need = (id: string): Session => {
    const session = sessions.get(id);
    if (session === undefined) throw new Error(`the agent ${id} has gone`);
    session.lastSeenAt = engine.parts.clock.now();
    return session;
  };
  return {
    present: (organizationId) =>
      [...sessions.values()]
        .filter(
          ({ agent }) => organizationId === undefined || agent.organizationId === organizationId,
        )
        .map(presentSession),
    find: (id) => {
      const session = sessions.get(id);
      return session && presentSession(session);
    },
    register: (given) => registerAgent(engine, given),
    connect: (id) => withSession(id, (session) => changes.connectAgent(engine, session)),
    disconnect: (id) => void withSession(id, (one) => changes.disconnectAgent(engine, one)),
    seen: (id, jobId) => seen(engine, id, jobId),
    ping: (id, signal) => {
      const session = sessions.get(id);
      return session && pingFrom(engine, session, signal);
    },
    accept: (id, jobId, secret) => acceptOffer(engine, need(id), jobId, secret),
    acquire: (id, jobId, secret) => acquireJob(engine, need(id), jobId, secret),
    begin: (of) => beginTakenJob(engine, of),
    end: async (of, ...ended) => {
      await engine.parts.logPieces.finish(of.jobId);
      endTakenJob(engine, of, ...ended);
    },
    refuse: (...refused) => refuseTakenJob(engine, ...refused),
    stop: (id, atOnce) => withSession(id, (one) => changes.stopAgent(engine, one, atOnce)),
    pause: (id, note, until, byId) =>
      withSession(id, (one) =>
        changes.pauseAgent(engine, one, { note, until, byId, at: engine.parts.clock.now() }),
      ),
    resume: (id) => withSession(id, (one) => changes.resumeAgent(engine, one)),
    serves: (demand) => isServed(engine, readDemand(demand)),
  };
}

const presentSession = ({ agent, job, lastSeenAt }: Session): PresentAgent => ({
  agent,
  jobId: job?.id ?? null,
  lastSeenAt,
});

function seen(engine: EngineState, id: string, jobId: string | undefined): boolean {
  const session = engine.sessions.get(id);
  if (session === undefined) return false;
  session.lastSeenAt = engine.parts.clock.now();
  if (session.job !== null && session.job.id === jobId) session.job.unclaimedSince = null;
  // Lost, and found again.
  if (session.agent.state === 'lost') changes.connectAgent(engine, session);
  return true;
}

/** What an agent says of itself, and what is known of who says it. */
export type NewAgent = Pick<
  RemoteAgent,
  | 'name'
  | 'organizationId'
  | 'registeredWith'
  | 'hostname'
  | 'os'
  | 'arch'
  | 'version'
  | 'userAgent'
  | 'ip'
  | 'pid'
  | 'machineId'
  | 'tags'
  | 'priority'
  | 'features'
  | 'isOnThisMachine'
  | 'isOtherUser'
  | 'ignoreInDispatches'
>;

/** A new agent, whatever its name is: names are no identities. Gives the secret of its token, this once. */
function registerAgent(
  { parts, sessions }: EngineState,
  given: NewAgent,
): { readonly agent: RemoteAgent; readonly secret: string } {
  const { store, clock, newId } = parts;
  const at = clock.now();
  const id = newId();
  const { agent, secret } = store.transaction(() => {
    const issued = issueToken(parts, {
      ...{ kind: 'session', userId: null, organizationIds: [given.organizationId], scopes: [] },
      ...{ description: `agent ${given.name}`, agentId: id },
    });
    const made: RemoteAgent = {
      ...given,
      ...{ id, tokenId: issued.token.id, remote: true, createdAt: at, state: 'registered' },
      ...{ connectedAt: null, disconnectedAt: null, lostAt: null, stop: null, pause: null },
    };
    store.agents.add(made);
    return { agent: made, secret: issued.secret };
  });
  sessions.set(id, newSession(agent, at));
  return { agent, secret };
}

// An agent asks for work.

/** Milliseconds that a ping stays open while there is nothing to say: work then reaches the agent at once. */
const longestPing = 5000;

/** Milliseconds after which an agent that asks for work has dropped a job that it should have. */
const dropAfter = 10_000;

/** Resolves when there is something to say, at most after five seconds; `signal`: the agent has gone. */
function pingFrom(
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

/** Whether somebody who is there may take such jobs, be it later: one that is paused may. */
function isServed(engine: EngineState, demand: Demand): boolean {
  if (engine.slots.length > 0 && slotsMeet(engine, demand)) return true;
  const { organizationId, runsOn, rules } = demand;
  if (runsOn === 'slots') return false;
  return [...engine.sessions.values()].some(
    ({ agent }) =>
      agent.state === 'connected' &&
      agent.stop === null &&
      !agent.ignoreInDispatches &&
      agent.organizationId === organizationId &&
      meets(agent.tags, rules),
  );
}
