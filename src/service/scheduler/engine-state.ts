/** What the engine works with, and what it remembers while the service runs. */
import type { LocalClock } from '../clock.ts';
import type { Runner } from '../runner-port.ts';
import type { LogPieces } from '../store/log-pieces.ts';
import type { Logs } from '../store/logs.ts';
import type { Store } from '../store/store.ts';
import type { Urls } from '../urls.ts';
import type { ChangeFeed } from './change-feed.ts';
import type { Pending } from './engine-pending.ts';
import type { Session } from './agents/session.ts';
import type { Slot } from './slots.ts';

export interface EngineParts {
  readonly store: Store;
  readonly logs: Logs;
  readonly logPieces: LogPieces;
  readonly urls: Urls;
  readonly clock: LocalClock;
  readonly newId: () => string;
  readonly runner: Runner;
  readonly slots: number;
  /** What the slots are for; left out, `queue=default`, or everything while there are no other agents. */
  readonly tags?: readonly string[] | undefined;
  readonly agents: AgentTimes;
  /** Folder for the checkouts that are made for jobs; nothing in it lasts. */
  readonly workspaces: string;
  /** Folders that jobs find before their PATH. */
  readonly path: readonly string[];
  /** What jobs get of the variables of this machine. */
  readonly host: Readonly<Record<string, string>>;
  /** Called when the processes of a job have ended: what it had locked is free again. */
  readonly onJobEnd?: (jobId: string) => void;
}

/** Milliseconds. */
export interface AgentTimes {
  /** Between two signs of life of an agent; after three without one it is lost. */
  readonly heartbeat: number;
  /** After which a job that no agent has taken is given up. */
  readonly expireAfter: number;
}

export const usualAgentTimes: AgentTimes = {
  heartbeat: 15_000,
  expireAfter: 30 * 24 * 3600 * 1000,
};

export interface EngineState {
  readonly parts: EngineParts;
  readonly slots: readonly Slot[];
  /** The agents beside them that have not gone, by id. */
  readonly sessions: Map<string, Session>;
  /** What scheduled jobs may demand of an agent; more than there is does no harm. */
  readonly demands: Set<string>;
  /** Those of jobs that are new: agents that wait are to be offered them. */
  readonly news: Set<string>;
  /** Ids of the jobs that agents were offered and have not accepted yet. */
  readonly offered: Set<string>;
  /** Looks after the agents while the service runs. */
  sweeping: { stop(): void } | null;
  /** Jobs that run, until their outcomes are written. */
  readonly jobs: Set<Promise<void>>;
  phase: 'new' | 'running' | 'stopping';
  /** Whether free slots are about to be filled. */
  isFillScheduled: boolean;
  /** For those who watch builds. */
  readonly feed: ChangeFeed;
  /** What follows from changes and is still to be done. */
  readonly pending: Pending;
  /** Trigger jobs whose builds are being made. */
  readonly triggering: Set<string>;
  /** The last action that waits its turn, by what it is about. */
  readonly turns: Map<string, Promise<unknown>>;
  /** Why what has happened cannot be written down; null while it can. */
  storageError: string | null;
}

/** Milliseconds until a write is tried again. */
export const retryDelay = 1000;

/** Adds a line to the log of a job, where that can be written. */
export const logLine = ({ parts }: EngineState, jobId: string, line: string): Promise<void> =>
  parts.logs.append(jobId, `${line}\n`).catch(() => undefined);
