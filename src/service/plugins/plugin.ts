/** What the runner and the plugins of a job say to each other. */
import type { PluginUse } from '../pipeline/plan.ts';
import type { PluginPolicy } from '../run-options.ts';

export interface PluginRequest {
  readonly uses: readonly PluginUse[];
  readonly policy: PluginPolicy;
  /** Folder with plugins by name, for a machine without a network. */
  readonly from: string | null;
  /** Folder that keeps what was fetched, one folder a version. */
  readonly cache: string;
  /** The checkout of the job; left out where it is not made yet. */
  readonly checkout?: string;
  /** The environment that git gets. */
  readonly env: Readonly<Record<string, string>>;
  /** Ends a fetch that is under way. */
  readonly signal: AbortSignal;
  /** Adds a line to the log of the job. */
  readonly log: (line: string) => Promise<void>;
}

/** A plugin that a job runs, in the order of the file. */
export interface ReadyPlugin {
  /** `docker` of `docker-buildkite-plugin`. */
  readonly name: string;
  /** Its checkout; for one of the repository relative to the checkout of the job (`./x`). */
  readonly folder: string;
  readonly isOfRepository: boolean;
  /** Its configuration as variables, `BUILDKITE_PLUGIN_DOCKER_IMAGE` and so on. */
  readonly env: Readonly<Record<string, string>>;
}

/** A plugin cannot be had. The job fails with this exit status, as with public agents: that of git. */
export class PluginError extends Error {
  override readonly name = 'PluginError';
  readonly exitStatus: number;
  constructor(message: string, exitStatus: number, options?: ErrorOptions) {
    super(message, options);
    this.exitStatus = exitStatus;
  }
}
