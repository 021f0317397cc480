import type { CictlError } from '../errors.ts';
import type { Clock } from '../common/clock.ts';
import type { AgentAddress } from './urls.ts';
import type { Runner } from './runner-port.ts';

export interface ServiceOptions {
  /** Data directory; created with mode 0700. */
  readonly dataDir: string;
  /** Port on 127.0.0.1; 0 means any. Default: the previous port, or any port if that is taken. */
  readonly port?: number;
  readonly clock?: Pick<Clock, 'now'>;
  /** Generates UUIDs. */
  readonly ids?: () => string;
  /** Number of jobs to run in parallel on this machine; default 2. If 0, only agents run jobs. */
  readonly slots?: number;
  /**
   * Tags of the slots (`queue=default`, `os=linux`), which are matched against the `agents` of
   * steps. If omitted, the slots run every job as long as no agent is connected.
   */
  readonly tags?: readonly string[] | undefined;
  readonly listen?: AgentAddress;
  /** Maximum bytes of a job's log; default 1 GiB. */
  readonly maxLog?: number | undefined;
  /** Seconds between an agent's heartbeats; default 15. */
  readonly heartbeat?: number;
  /** Milliseconds after which a job expires if no agent has taken it; default 30 days. */
  readonly expireAfter?: number;
  /** Requests per minute per user; organizations get four times as many. Default: no limit. */
  readonly rateLimit?: number;
  /**
   * Whether this process runs nothing but the service. `local down` then waits until the process
   * exits, and kills it if it does not respond. Default: false.
   */
  readonly ownsProcess?: boolean;
  /**
   * Whether to move this process into its own control group while the service runs, if the system
   * allows it. This service or the next one can then kill all descendants. Default: false.
   */
  readonly isConfined?: boolean;
  /** Which old builds to keep: `90d`, `500` per pipeline, or null for all. Default: unchanged. */
  readonly keep?: string | null;
  /** Defaults to a runner that runs jobs as processes on this machine. */
  readonly runner?: Runner;
  /** Host environment, from which jobs get a few variables. Default: this process's environment. */
  readonly hostEnv?: Readonly<Record<string, string | undefined>>;
}

export interface Service {
  /** Base URL of all three APIs, without a trailing slash: `http://127.0.0.1:PORT`. */
  readonly url: string;
  readonly port: number;
  /** Slug of the organization that always exists. */
  readonly org: 'local';
  /** Access token with all scopes. If the previous token was revoked, this is a new one. */
  readonly token: string;
  /** Agent registration token of `org`. It can also read metrics. */
  readonly agentToken: string;
  /** Token for the routes under `/local/v1`, valid while this service runs. */
  readonly adminToken: string;
  /**
   * Stops the jobs, responds to open requests, and unlocks the data directory. With `kill`, jobs
   * get KILL immediately instead of ten seconds after TERM, even if an earlier `close` is still in
   * progress.
   */
  close(options?: { readonly kill?: boolean }): Promise<void>;
  /** Returns true if no other process waits for a build; from then on, no process can attach. */
  leave(): boolean;
  readonly closed: Promise<void>;
  /** Resolves with the reason if the data directory was removed. The service then closes. */
  readonly folderGone: Promise<CictlError>;
}
