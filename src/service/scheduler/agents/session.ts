/** An agent that is registered, with what is known of it while the service runs. */
import type { RemoteAgent } from '../../domain/remote-agent.ts';

export interface Session {
  agent: RemoteAgent;
  /** The job that it has accepted. */
  job: SessionJob | null;
  /** The job that it is to accept. */
  offer: Offer | null;
  /** Sends the response to the ping that it has open. */
  ping: ((response: PingResponse) => void) | null;
  /** When it was last heard of, itself or its job. */
  lastSeenAt: number;
}

export interface Offer {
  readonly jobId: string;
  readonly buildId: string;
  /** What the job demands of an agent. */
  readonly demand: string;
  readonly at: number;
}

export interface SessionJob {
  readonly id: string;
  readonly buildId: string;
  readonly organizationId: string;
  /** When it has to be over; null for no limit, or while it has not begun. */
  deadline: number | null;
  /** Since when the agent pings as if it had no job, and the job is silent. */
  unclaimedSince: number | null;
}

/** What an agent gets to know when it asks; empty: nothing. */
export interface PingResponse {
  readonly job?: { readonly id: string };
  readonly action?: 'disconnect' | 'pause';
  /** A line for the log of the agent. */
  readonly message?: string;
}

export const newSession = (agent: RemoteAgent, at: number): Session => ({
  ...{ agent, job: null, offer: null, ping: null, lastSeenAt: at },
});

/** Whether it may be given a job now, but for its tags. */
export const isFree = ({ agent, job, offer }: Session): boolean =>
  agent.state === 'connected' &&
  !agent.ignoreInDispatches &&
  agent.stop === null &&
  agent.pause === null &&
  job === null &&
  offer === null;
