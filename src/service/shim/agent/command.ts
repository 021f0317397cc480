export interface Flag {
  readonly name: string;
  readonly help: string;
  /** Placeholder for the flag's value in the help. Omitted if the flag has no value. */
  readonly value?: string;
  /** Environment variables to use if the flag is not given. The first one that is set applies. */
  readonly env?: readonly string[];
  readonly default?: string;
  /** Whether the flag is required. */
  readonly isNeeded?: boolean;
}

export interface Command {
  readonly name: string;
  readonly summary: string;
  /** The arguments in the help, such as `<key> [value]`. */
  readonly args: string;
  /** Names of the required arguments in error messages, in order, such as `meta-data key`. */
  readonly needs?: readonly string[];
  readonly flags: readonly Flag[];
  /** Resolves to the exit code; undefined means 0. Throws `AgentError`. */
  run(given: Given): Promise<number | undefined>;
}

export interface Given {
  readonly args: readonly string[];
  text(name: string): string;
  /** Whether the flag's value differs from its default. */
  has(name: string): boolean;
  on(name: string): boolean;
}

export class AgentError extends Error {
  override readonly name = 'AgentError';
  /** Whether the message starts with `fatal:`. */
  readonly isFatal: boolean;

  constructor(message: string, { isFatal = true } = {}) {
    super(message);
    this.isFatal = isFatal;
  }
}

export const jobFlag: Flag = {
  name: 'job',
  value: 'id',
  env: ['BUILDKITE_JOB_ID'],
  isNeeded: true,
  help: 'The job to act on; a job can only act on itself',
};

export const buildFlag: Flag = {
  name: 'build',
  value: 'id',
  env: ['BUILDKITE_BUILD_ID'],
  isNeeded: true,
  help: 'The build to use; a job can only use its own build',
};

export const stepFlag: Flag = {
  name: 'step',
  value: 'key or id',
  env: ['BUILDKITE_STEP_ID'],
  isNeeded: true,
  help: 'The step to use, by key or ID',
};

/** Flags that every subcommand accepts. Flags without help text have no effect. */
export const commonFlags: readonly Flag[] = [
  {
    name: 'endpoint',
    value: 'url',
    env: ['BUILDKITE_AGENT_ENDPOINT'],
    help: 'The URL of the agent API',
  },
  {
    name: 'agent-access-token',
    value: 'token',
    env: ['BUILDKITE_AGENT_ACCESS_TOKEN'],
    help: 'The access token of the job',
  },
  {
    name: 'redacted-vars',
    value: 'patterns',
    env: ['BUILDKITE_REDACTED_VARS'],
    help: 'Patterns of variable names whose values are redacted (default: names that look secret)',
  },
  {
    name: 'log-level',
    value: 'level',
    env: ['BUILDKITE_AGENT_LOG_LEVEL'],
    default: 'notice',
    help: 'The log level; error and fatal only print errors',
  },
  ...['debug', 'debug-http', 'trace-http', 'no-http2', 'no-color'].map((name) => ({
    name,
    help: '',
  })),
  ...['experiment', 'profile'].map((name) => ({ name, value: 'name', help: '' })),
];
