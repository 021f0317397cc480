/**
 * What the scheduler of the built-in service and its runner say to each other: types only.
 * The scheduler decides which job runs when; the runner knows processes and logs, nothing else.
 */
import type { PluginUse, SignalReason } from './pipeline/plan.ts';
import type { PluginPolicy } from './run-options.ts';

/** One job to run. */
export interface JobSpec {
  readonly jobId: string;
  /** The script given to `bash -e -c`, or the name of a file of the checkout. */
  readonly command: string;
  /** Absolute folder in which it begins. */
  readonly cwd: string;
  readonly checkout: JobCheckout;
  readonly plugins: JobPlugins;
  /** The job's own variables, those of GET env; the runner adds the few that come from the host. */
  readonly env: Readonly<Record<string, string>>;
  /** Variables that GET env does not show (the job's token, PATH additions). */
  readonly hiddenEnv: Readonly<Record<string, string>>;
  /** Folders put before PATH. */
  readonly path: readonly string[];
  /** Values that the log must not show, beside those of secret-looking variables. */
  readonly secrets: readonly string[];
  /** Milliseconds for all that the job does, or null for no limit. */
  readonly timeout: number | null;
  /** Folder for what the runner itself writes, which makes and removes it. */
  readonly scratch: string;
  /** File to which the log is appended. */
  readonly logFile: string;
  /** Bytes of output that its log may have. */
  readonly maxLog: number;
  /** Lines written to the log before the command's own. */
  readonly preamble: readonly string[];
  /** Whether its output is a terminal; else a pipe. */
  readonly tty: boolean;
}

/** How a job gets the files that it works on; the runner asks when it is time. */
export interface JobCheckout {
  /** Makes the checkout; resolves to the folder in it where the job goes on. Throws with the reason. */
  readonly make: (run: RunProgram, signal: AbortSignal) => Promise<string>;
  /** An empty folder, for a job whose own `checkout` hook fills it. */
  readonly empty: () => Promise<string>;
  /** Folder of the pipeline, whose `checkout` hook counts before there is a checkout. */
  readonly source: string;
}

/** Runs a program in a folder, its output in the log. Throws with the reason where it fails. */
export type RunProgram = (file: string, args: readonly string[], cwd: string) => Promise<void>;

export interface JobPlugins {
  readonly uses: readonly PluginUse[];
  readonly policy: PluginPolicy;
  /** Folder with plugins by name, for a machine without a network. */
  readonly from: string | null;
}

/** How a job ended (specification, "Job"; signal members as the public service names them). */
export interface Outcome {
  /** 0 to 255, or -1 when a signal ended it or the runner was lost. */
  readonly exitStatus: number;
  readonly signal: string | null;
  readonly signalReason: SignalReason | null;
  readonly timedOut: boolean;
}

/** A job that runs. */
export interface Running {
  /** Settles when the process has ended and its log is complete; never rejects. */
  readonly done: Promise<Outcome>;
  /** From now on these values do not appear in its log (`buildkite-agent redactor add`). */
  redact(values: readonly string[]): void;
  /** The environment that its next hook or command will get (`buildkite-agent env`). */
  readonly environment: JobEnvironment;
  /** TERM to all of its processes, ten seconds later KILL; `pre-exit` hooks run all the same. */
  cancel(): void;
  /** KILL to all of its processes at once. */
  kill(): void;
}

export interface JobEnvironment {
  get(): Readonly<Record<string, string>>;
  set(variables: Readonly<Record<string, string>>): void;
  unset(names: readonly string[]): void;
}

export interface Runner {
  start(spec: JobSpec): Running;
  /** Ends what is left of jobs that another process had started, and could not end any more. */
  reap?(left: Leftovers): void;
}

/** Jobs of services that were killed. */
export interface Leftovers {
  /** Those that ran when their service was killed. */
  readonly jobIds: readonly string[];
  /** Folder of the logs of all jobs: it is no longer any other service's. */
  readonly logs: string;
}
