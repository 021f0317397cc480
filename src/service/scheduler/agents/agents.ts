/** What others may ask of the agents beside the slots, and about them. */
import { readDemand } from '../../domain/demand.ts';
import type { RemoteAgent } from '../../domain/remote-agent.ts';
import type { Outcome } from '../../runner-port.ts';
import { scheduleFill } from '../engine-fill.ts';
import type { EngineState } from '../engine-state.ts';
import * as changes from './change-agent.ts';
import { isServed } from './is-served.ts';
import { pingFrom } from './ping.ts';
import { registerAgent, type NewAgent } from './register.ts';
import type { PingResponse, Session } from './session.ts';
import { beginTakenJob, endTakenJob, refuseTakenJob, type TakenBy } from './run-taken-job.ts';
import { acceptOffer, acquireJob, type TakenJob } from './take-job.ts';

/** An agent as it is now. */
export interface PresentAgent {
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
