/** Manages all agents except the service's own slots: their requests, and actions on them. */
import { startTimer } from '../../../common/clock.ts';
import { issueToken } from '../../accounts.ts';
import { demandOf, meets, readDemand, type RemoteAgent } from '../../domain/agents.ts';
import { findJob } from '../../domain/find-job.ts';
import type { Outcome } from '../../runner-port.ts';
import { newSession, type EngineState, type PingResponse, type Session } from '../engine-state.ts';
import { slotsMeet } from '../slots.ts';
import {
  changeAgent,
  connectAgent,
  disconnectAgent,
  dropOffer,
  leaveJob,
  pauseAgent,
  pauseResponse,
  stopAgent,
} from './change-agent.ts';
import {
  beginTakenJob,
  endTakenJob,
  NotYetError,
  offerTo,
  refuseTakenJob,
  takeJob,
  type TakenBy,
  type TakenJob,
} from './jobs.ts';

interface PresentAgent {
  readonly agent: RemoteAgent;
  readonly jobId: string | null;
  readonly lastSeenAt: number;
}

/** Data that an agent sends when it registers, and details of that request. */
export type NewAgent = Omit<
  RemoteAgent,
  | ('id' | 'tokenId' | 'remote' | 'createdAt' | 'state')
  | ('connectedAt' | 'disconnectedAt' | 'lostAt' | 'stop' | 'pause')
>;

/** If a method returns a boolean, false means that the agent is disconnected. */
export class Agents {
  readonly #engine: EngineState;

  constructor(engine: EngineState) {
    this.#engine = engine;
  }

  /** Returns the agents of one organization, or of all. Excludes disconnected agents. */
  present(organizationId?: string): readonly PresentAgent[] {
    return [...this.#engine.sessions.values()]
      .filter(
        ({ agent }) => organizationId === undefined || agent.organizationId === organizationId,
      )
      .map(presentSession);
  }

  find(id: string): PresentAgent | undefined {
    const session = this.#engine.sessions.get(id);
    return session && presentSession(session);
  }

  /** Always creates a new agent, because names are not unique. Only returns the secret once. */
  register(given: NewAgent): { readonly agent: RemoteAgent; readonly secret: string } {
    const { parts, store, clock, sessions } = this.#engine;
    const at = clock.now();
    const id = parts.newId();
    const registered = store.transaction(() => {
      const { token, secret } = issueToken(parts, {
        ...{ kind: 'session', userId: null, organizationIds: [given.organizationId], scopes: [] },
        ...{ description: `agent ${given.name}`, agentId: id },
      });
      const agent: RemoteAgent = {
        ...given,
        ...{ id, tokenId: token.id, remote: true, createdAt: at, state: 'registered' },
        ...{ connectedAt: null, disconnectedAt: null, lostAt: null, stop: null, pause: null },
      };
      store.agents.add(agent);
      return { agent, secret };
    });
    sessions.set(id, newSession(registered.agent, at));
    return registered;
  }

  connect(id: string): boolean {
    return this.#update(id, (session) => connectAgent(this.#engine, session));
  }

  disconnect(id: string): void {
    this.#update(id, (session) => disconnectAgent(this.#engine, session));
  }

  /** Records that the agent sent a heartbeat or that its job sent a request. */
  seen(id: string, jobId?: string): boolean {
    return this.#update(id, (session) => {
      session.lastSeenAt = this.#engine.clock.now();
      if (session.job !== null && session.job.id === jobId) session.job.unclaimedSince = null;
      if (session.agent.state === 'lost') connectAgent(this.#engine, session);
    });
  }

  /** Resolves when the agent has something to do, or after 5 s. Undefined if it is disconnected. */
  ping(id: string, signal?: AbortSignal): Promise<PingResponse> | undefined {
    const session = this.#engine.sessions.get(id);
    if (session === undefined) return undefined;
    connectAgent(this.#engine, session);
    // If an earlier ping is still open, its connection must have been lost.
    session.ping?.({});
    const response = respondNow(this.#engine, session);
    return response ? Promise.resolve(response) : respondLater(this.#engine, session, signal);
  }

  /** Accepts the offered job. Throws `Refusal` if the agent may not have it. */
  accept(id: string, jobId: string, secret: string): TakenJob {
    const session = this.#need(id);
    const isOffered = session.offer?.jobId === jobId;
    return takeJob(this.#engine, session, jobId, secret, () => isOffered);
  }

  /** Takes a job by its ID, even without an offer. Throws `NotYetError` if the job must wait. */
  acquire(id: string, jobId: string, secret: string): TakenJob {
    const session = this.#need(id);
    const found = this.#engine.store.builds.job(jobId)?.job;
    if (found?.type === 'script' && (found.state === 'waiting' || found.state === 'limited'))
      throw new NotYetError(jobId);
    return takeJob(this.#engine, session, jobId, secret, (tree, job) => {
      const demand = readDemand(demandOf(tree.build, job, tree.plan.steps[job.step]));
      return demand.runsOn !== 'slots' && demand.organizationId === session.agent.organizationId;
    });
  }

  /** Starts an accepted job. Throws `Refusal` if the job can no longer start. */
  begin(of: TakenBy): void {
    beginTakenJob(this.#engine, of);
  }

  /**
   * Resolves when the outcome is written. Does nothing if the job has ended or belongs to another
   * agent. If `isLast` is true, the agent gets no more jobs.
   */
  async end(of: TakenBy, outcome: Outcome, isLast: boolean): Promise<void> {
    await this.#engine.parts.logPieces.finish(of.jobId);
    endTakenJob(this.#engine, of, outcome);
    const session = this.#engine.sessions.get(of.agentId);
    if (session !== undefined && isLast)
      changeAgent(this.#engine, session, { ignoreInDispatches: true });
  }

  /** Fails a job that an agent has accepted, and logs the reason. */
  refuse(buildId: string, jobId: string, reason: unknown): void {
    refuseTakenJob(this.#engine, buildId, jobId, reason);
  }

  /** Stops the agent after its job or, with `atOnce`, together with its job. */
  stop(id: string, atOnce: boolean): boolean {
    return this.#update(id, (session) => stopAgent(this.#engine, session, atOnce));
  }

  /** The agent gets no jobs until `resume`, or until the time `until` (in milliseconds). */
  pause(id: string, note: string, until: number | null, byId: string | null): boolean {
    const pause = { note, until, byId, at: this.#engine.clock.now() };
    return this.#update(id, (session) => pauseAgent(this.#engine, session, pause));
  }

  resume(id: string): boolean {
    return this.#update(id, (session) => changeAgent(this.#engine, session, { pause: null }));
  }

  /** Whether an agent or slot could run a job with this demand. Includes paused agents. */
  serves(demand: string): boolean {
    const { slots, sessions } = this.#engine;
    const read = readDemand(demand);
    if (slots.length > 0 && slotsMeet(this.#engine, read)) return true;
    const { organizationId, runsOn, rules } = read;
    if (runsOn === 'slots') return false;
    return [...sessions.values()].some(
      ({ agent }) =>
        agent.state === 'connected' &&
        agent.stop === null &&
        !agent.ignoreInDispatches &&
        agent.organizationId === organizationId &&
        meets(agent.tags, rules),
    );
  }

  /** Returns false if the agent is disconnected. */
  #update(id: string, action: (session: Session) => void): boolean {
    const session = this.#engine.sessions.get(id);
    if (session !== undefined) action(session);
    return session !== undefined;
  }

  #need(id: string): Session {
    const session = this.#engine.sessions.get(id);
    if (session === undefined) throw new Error(`agent ${id} is disconnected`);
    session.lastSeenAt = this.#engine.clock.now();
    return session;
  }
}

const presentSession = ({ agent, job, lastSeenAt }: Session): PresentAgent => ({
  agent,
  jobId: job?.id ?? null,
  lastSeenAt,
});

/** Undefined if there is nothing to report; the ping then stays open. */
function respondNow(engine: EngineState, session: Session): PingResponse | undefined {
  const { agent } = session;
  dropUnclaimedJob(engine, session);
  if (session.job !== null) return {};
  if (agent.stop !== null) return { action: 'disconnect' };
  if (agent.pause !== null) {
    const { until } = agent.pause;
    if (until === null || until > engine.clock.now()) return pauseResponse(agent.pause);
    changeAgent(engine, session, { pause: null });
  }
  if (agent.ignoreInDispatches) return {};
  if (session.offer === null) return undefined;
  // Repeats the offer, because the agent may not have received the response to an earlier ping.
  const { jobId, buildId } = session.offer;
  const tree = engine.store.builds.tree(buildId);
  if (tree !== undefined && findJob(tree, jobId)?.state === 'scheduled')
    return { job: { id: jobId } };
  dropOffer(engine, session);
  return undefined;
}

/** If an agent pings as if idle for this many milliseconds, it must have dropped its job. */
const dropAfter = 10_000;

/** Tolerates a single idle ping, because a ping may be late or repeated. */
function dropUnclaimedJob(engine: EngineState, session: Session): void {
  const { job } = session;
  const at = engine.clock.now();
  if (job === null) return;
  job.unclaimedSince ??= at;
  if (at - job.unclaimedSince >= dropAfter) leaveJob(engine, session, 'agent_lost');
}

/** Milliseconds that a ping stays open. A job that arrives in that time is offered immediately. */
const longestPing = 5000;

function respondLater(
  engine: EngineState,
  session: Session,
  signal?: AbortSignal,
): Promise<PingResponse> {
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
