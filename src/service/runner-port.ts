/**
 * What the scheduler of the built-in service and its runner say to each other: types only.
 * The scheduler decides which job runs when; the runner knows processes and logs, nothing else.
 */

/** One job to run. */
export interface JobSpec {
  readonly jobId: string;
  /** The script given to `bash -e -c`. */
  readonly command: string;
  /** Absolute folder in which it runs. */
  readonly cwd: string;
  /** The job's own variables, those of GET env; the runner adds the few that come from the host. */
  readonly env: Readonly<Record<string, string>>;
  /** Variables that GET env does not show (the job's token, PATH additions). */
  readonly hiddenEnv: Readonly<Record<string, string>>;
  /** Folders put before PATH. */
  readonly path: readonly string[];
  /** Values that the log must not show, beside those of secret-looking variables. */
  readonly secrets: readonly string[];
  /** Milliseconds, or null for no limit. */
  readonly timeout: number | null;
  /** File to which the log is appended. */
  readonly logFile: string;
  /** Lines written to the log before the command's own. */
  readonly preamble: readonly string[];
}

/** How a job ended (specification, "Job"; signal members as the public service names them). */
export interface Outcome {
  /** 0 to 255, or -1 when a signal ended it or the runner was lost. */
  readonly exitStatus: number;
  readonly signal: string | null;
  readonly signalReason: 'cancel' | 'agent_stop' | 'process_run_error' | null;
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
  /** TERM to the whole process group, ten seconds later KILL. */
  cancel(): void;
  /** KILL to the whole process group at once. */
  kill(): void;
}

export interface JobEnvironment {
  get(): Readonly<Record<string, string>>;
  set(variables: Readonly<Record<string, string>>): void;
  unset(names: readonly string[]): void;
}

export interface Runner {
  start(spec: JobSpec): Running;
  /** Ends what is left of a job that another process had started, and could not end any more. */
  reap?(jobId: string): void;
}
