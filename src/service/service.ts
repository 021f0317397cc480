/** What a caller of the built-in service gives and gets. */
import type { CictlError } from '../errors.ts';
import type { Clock } from '../common/clock.ts';
import type { AgentAddress } from './urls.ts';
import type { Runner } from './runner-port.ts';

export interface ServiceOptions {
  /** Folder that holds everything; made with mode 0700 where it is missing. */
  readonly dataDir: string;
  /** Port on 127.0.0.1; 0 takes a free one. Default: that of last time, or a free one where that is taken. */
  readonly port?: number;
  readonly clock?: Pick<Clock, 'now'>;
  /** Makes UUIDs. */
  readonly ids?: () => string;
  /** How many jobs run at once on this machine; default 2. With 0 only real agents run any. */
  readonly slots?: number;
  /**
   * Tags of the slots (`queue=default`, `os=linux`), which steps ask for with `agents`. Left out, they
   * take every job for as long as no real agent is connected.
   */
  readonly tags?: readonly string[] | undefined;
  /** Opens the agent API at another address too. */
  readonly listen?: AgentAddress;
  /** Bytes of output that the log of one job may have; default 1 GiB. */
  readonly maxLog?: number | undefined;
  /** Seconds between the heartbeats of a real agent; default 15. */
  readonly heartbeat?: number;
  /** Milliseconds after which a job that no agent has taken is given up; default 30 days. */
  readonly expireAfter?: number;
  /** Requests that a user may send in a minute; an organization takes four times as many. Off by default. */
  readonly rateLimit?: number;
  /**
   * Whether the process is there for the service alone: `local down` then waits for its end, and
   * kills it where it does not respond. Default false.
   */
  readonly ownsProcess?: boolean;
  /**
   * Whether this process, while the service runs, is moved into a control group of its own, where
   * the system allows it: all that descends from it is then ended with it or by its successor,
   * whatever it did to get away. Default false.
   */
  readonly isConfined?: boolean;
  /**
   * How much of old builds stays: an age (`90d`) or how many of each pipeline (`500`), null for all;
   * by default what was said last.
   */
  readonly keep?: string | null;
  /** Runs the jobs; by default processes of this machine. */
  readonly runner?: Runner;
  /** Environment of this machine, of which jobs get a few variables; default that of this process. */
  readonly hostEnv?: Readonly<Record<string, string | undefined>>;
}

/** A service that answers. */
export interface Service {
  /** Base URL of all three APIs, without a slash at the end: `http://127.0.0.1:PORT`. */
  readonly url: string;
  readonly port: number;
  /** Slug of the organization that is always there. */
  readonly org: 'local';
  /** Access token with every scope; a new one where the last was revoked. */
  readonly token: string;
  /** Agent registration token of `org`, for the metrics. */
  readonly agentToken: string;
  /** Opens the routes under `/local/v1`, for as long as this service runs. */
  readonly adminToken: string;
  /**
   * Ends what runs, answers what is open, unlocks the data folder. With `kill` the jobs get KILL
   * at once in place of TERM and ten seconds, also when a `close` in order is under way.
   */
  close(options?: { readonly kill?: boolean }): Promise<void>;
  /** Whether no other process waits for a build of this one; then none can any more, until it has closed. */
  leave(): boolean;
  /** Settles when the service has closed, whoever asked for it. */
  readonly closed: Promise<void>;
  /** Settles with the reason when the data folder has gone; the service then closes by itself. */
  readonly folderGone: Promise<CictlError>;
}
