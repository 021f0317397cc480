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
