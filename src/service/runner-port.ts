/** The scheduler decides which job runs when. The runner only handles processes and logs. */
import type { PluginUse, SignalReason } from './pipeline/plan.ts';
import type { PluginPolicy } from './run-options.ts';

export interface JobSpec {
  readonly jobId: string;
  /** A script for `bash -e -c`, or the name of a file in the checkout. */
  readonly command: string;
  /** Initial working directory. */
  readonly cwd: string;
  readonly checkout: JobCheckout;
  readonly plugins: JobPlugins;
  readonly env: Readonly<Record<string, string>>;
  /** Variables that the API does not show in the job's environment, such as the job's token. */
  readonly hiddenEnv: Readonly<Record<string, string>>;
  /** Directories to put at the start of PATH. */
  readonly path: readonly string[];
  /** Values to redact in the log, in addition to variables whose names suggest a secret. */
  readonly secrets: readonly string[];
  /** Timeout of the entire job in milliseconds; null means no limit. */
  readonly timeout: number | null;
  /** Temporary directory that the runner creates and removes. */
  readonly scratch: string;
  readonly logFile: string;
  /** Maximum number of bytes in the log. */
  readonly maxLog: number;
  readonly preamble: readonly string[];
  /** Whether the output is a terminal instead of a pipe. */
  readonly tty: boolean;
}

export interface JobCheckout {
  /** Creates the checkout and resolves to the working directory in it. Throws if that fails. */
  readonly make: (run: RunProgram, signal: AbortSignal) => Promise<string>;
  readonly empty: () => Promise<string>;
  /** Directory of the pipeline. It may contain a `checkout` hook. */
  readonly source: string;
}

/** Runs a program and writes its output to the log. Throws the reason if the program fails. */
export type RunProgram = (file: string, args: readonly string[], cwd: string) => Promise<void>;

interface JobPlugins {
  readonly uses: readonly PluginUse[];
  readonly policy: PluginPolicy;
  readonly from: string | null;
}

/** How a job ended (specification, "Job"). Uses the public service's signal names. */
export interface Outcome {
  /** 0 to 255, or -1 if a signal killed the job or the runner was lost. */
  readonly exitStatus: number;
  readonly signal: string | null;
  readonly signalReason: SignalReason | null;
  readonly timedOut: boolean;
}

export interface Running {
  /** Resolves when the job has ended and its log is complete; never rejects. */
  readonly done: Promise<Outcome>;
  redact(values: readonly string[]): void;
  /** The environment in which the next hook or command runs (`buildkite-agent env`). */
  readonly environment: JobEnvironment;
  /** Sends TERM to all processes and KILL ten seconds later. `pre-exit` hooks still run. */
  cancel(): void;
  kill(): void;
}

export interface JobEnvironment {
  get(): Readonly<Record<string, string>>;
  set(variables: Readonly<Record<string, string>>): void;
  unset(names: readonly string[]): void;
}

export interface Runner {
  start(spec: JobSpec): Running;
  /** Kills processes that the jobs of a killed service left running. */
  reap?(left: Leftovers): void;
}

export interface Leftovers {
  /** Jobs that were running when their service was killed. */
  readonly jobIds: readonly string[];
  /** Directory for all logs of this service. No other service uses it. */
  readonly logs: string;
}
