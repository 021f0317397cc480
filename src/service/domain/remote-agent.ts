/** An agent that is a program of its own (`buildkite-agent`), on this machine or on another. */
import type { Agent } from './records.ts';

export interface RemoteAgent extends Agent {
  readonly remote: true;
  readonly organizationId: string;
  /** Id of its own token. */
  readonly tokenId: string;
  /** Id of the registration token. */
  readonly registeredWith: string;
  readonly hostname: string;
  readonly os: string;
  readonly arch: string;
  readonly version: string;
  readonly userAgent: string;
  readonly ip: string;
  readonly pid: number | null;
  readonly machineId: string;
  /** `key=value`, the queue among them. */
  readonly tags: readonly string[];
  /** The higher, the earlier it gets a job. */
  readonly priority: number;
  readonly features: readonly string[];
  /** It works on the folders of this machine themselves: `local agent start` has started it. */
  readonly isOnThisMachine: boolean;
  /** Another user of this machine runs it; undefined if that is unknown. */
  readonly isOtherUser?: boolean;
  /** It takes no jobs but those that it asks for by id, or none any more. */
  readonly ignoreInDispatches: boolean;
  readonly state: 'registered' | 'connected' | 'disconnected' | 'lost';
  readonly connectedAt: number | null;
  readonly disconnectedAt: number | null;
  readonly lostAt: number | null;
  /** What somebody asked of it, and it will hear at its next ping. */
  readonly stop: 'gracefully' | 'at once' | null;
  readonly pause: Pause | null;
}

/** While it is paused an agent stays connected and gets no jobs. */
export interface Pause {
  readonly note: string;
  readonly at: number;
  /** When it ends by itself; null for never. */
  readonly until: number | null;
  readonly byId: string | null;
}

/** As a user of the API sees it: it is there, and speaks. */
export const isConnected = ({ state }: Pick<RemoteAgent, 'state'>): boolean =>
  state === 'connected';
