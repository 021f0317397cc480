import type { RemoteAgent } from '../../domain/agents.ts';

/** A registered agent, and what is known of it while the service runs. */
export interface Session {
  agent: RemoteAgent;
  job: SessionJob | null;
  /** The job that the agent was offered and has not accepted yet. */
  offer: Offer | null;
  /** Answers the open ping of the agent. */
  ping: ((response: PingResponse) => void) | null;
  /** Time of the last request of the agent or its job. */
  lastSeenAt: number;
}

interface Offer {
  readonly jobId: string;
  readonly buildId: string;
  readonly demand: string;
  readonly at: number;
}

interface SessionJob {
  readonly id: string;
  readonly buildId: string;
  readonly organizationId: string;
  /** When the job times out; null without a limit, or before the job has begun. */
  deadline: number | null;
  /** Since when the agent has pinged as if it had no job, while the job was silent. */
  unclaimedSince: number | null;
}

/** Empty if there is nothing to do. */
export interface PingResponse {
  readonly job?: { readonly id: string };
  readonly action?: 'disconnect' | 'pause';
  /** A line for the log of the agent. */
  readonly message?: string;
}

export const newSession = (agent: RemoteAgent, at: number): Session => ({
  ...{ agent, job: null, offer: null, ping: null, lastSeenAt: at },
});
