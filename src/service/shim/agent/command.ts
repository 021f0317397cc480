/** What a subcommand of `buildkite-agent` is, as data. */

export interface Flag {
  readonly name: string;
  readonly help: string;
  /** What its value is called; without it the flag is a switch. */
  readonly value?: string;
  /** The variable that gives it where it is left out; the first that is set counts. */
  readonly env?: readonly string[];
  readonly default?: string;
  /** Without a value nothing is asked of the service. */
  readonly isNeeded?: boolean;
}

export interface Command {
  /** `meta-data get`. */
  readonly name: string;
  readonly summary: string;
  /** `<key> [value]`, for the help. */
  readonly args: string;
  /** What to say where one of the `<…>` is missing, in order: `meta-data key`. */
  readonly needs?: readonly string[];
  readonly flags: readonly Flag[];
  /** Resolves to the exit code, 0 where it gives none. Throws `AgentError`. */
  run(given: Given): Promise<number | undefined>;
}

/** A command line that has been read. */
export interface Given {
  readonly args: readonly string[];
  /** The value of a flag; empty where it was neither given nor has a default. */
  text(name: string): string;
  /** Whether a flag was given, be it with an empty value. */
  has(name: string): boolean;
  on(name: string): boolean;
}

/** Ends the program with one line on standard error. */
export class AgentError extends Error {
  override readonly name = 'AgentError';
  readonly exitCode: number;
  /** Whether it stands behind `fatal:`. */
  readonly isFatal: boolean;

  constructor(message: string, { exitCode = 1, isFatal = true } = {}) {
    super(message);
    this.exitCode = exitCode;
    this.isFatal = isFatal;
  }
}

// Flags that several subcommands have.

export const jobFlag: Flag = {
  name: 'job',
  value: 'id',
  env: ['BUILDKITE_JOB_ID'],
  isNeeded: true,
  help: 'The job it is about; a job may name only itself',
};

export const buildFlag: Flag = {
  name: 'build',
  value: 'id',
  env: ['BUILDKITE_BUILD_ID'],
  isNeeded: true,
  help: 'The build it is about; a job may name only its own',
};

export const stepFlag: Flag = {
  name: 'step',
  value: 'key or id',
  env: ['BUILDKITE_STEP_ID'],
  isNeeded: true,
  help: 'The step it is about, by its key or its id',
};

/** Known to every subcommand. Those without a word of help do nothing here. */
export const commonFlags: readonly Flag[] = [
  {
    name: 'endpoint',
    value: 'url',
    env: ['BUILDKITE_AGENT_ENDPOINT'],
    help: 'Address of the service',
  },
  {
    name: 'agent-access-token',
    value: 'token',
    env: ['BUILDKITE_AGENT_ACCESS_TOKEN'],
    help: 'The token of the job',
  },
  {
    name: 'redacted-vars',
    value: 'patterns',
    env: ['BUILDKITE_REDACTED_VARS'],
    help: 'Names of variables whose values are redacted (default: names that look secret)',
  },
  {
    name: 'log-level',
    value: 'level',
    env: ['BUILDKITE_AGENT_LOG_LEVEL'],
    default: 'notice',
    help: 'error, fatal: only what went wrong is said',
  },
  ...['debug', 'debug-http', 'trace-http', 'no-http2', 'no-color'].map((name) => ({
    ...{ name, help: '' },
  })),
  ...['experiment', 'profile'].map((name) => ({ name, value: 'name', help: '' })),
];
