/**
 * What a command may use. Handlers get it as their second argument; nothing else in
 * `commands/` touches the process, the terminal or the environment.
 */
import type { Readable, Writable } from 'node:stream';
import type { Client } from './api/client.ts';
import type { Remembered } from './config/remembered.ts';
import type { Settings } from './config/settings.ts';
import type { Output } from './render/output.ts';
import type { Messages } from './terminal/messages.ts';
import type { Prompts } from './terminal/prompt.ts';
import type { Secrets } from './terminal/secrets.ts';
import type { Stdin } from './terminal/stdin.ts';
import type { Clock } from './common/clock.ts';
import type { Env } from './common/env.ts';

/** Where a service is and the tokens that open it. */
export interface ServiceAddress {
  /** Serves all three APIs. */
  readonly url: string;
  readonly token?: string;
  /** Agent registration token: `auth login --agent` checks one before it is kept. */
  readonly agentToken?: string;
  /** It is the built-in one, on this machine: never through a proxy. */
  readonly isBuiltIn?: boolean;
  /** Goes behind our name in the header `User-Agent`. */
  readonly remark?: string;
}

/** Where a command line within this process prints, and what ends it. */
export interface InnerStreams {
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly signal: AbortSignal;
}

/** How it ended. */
export interface InnerRun {
  readonly exitCode: number;
  /** The error as one line of JSON, where there was one; it is not printed. */
  readonly error: string | undefined;
}

export interface Context {
  readonly env: Env;
  readonly cwd: string;
  readonly clock: Clock;
  readonly stdin: Stdin;
  /** Standard input as it comes, for a command that talks with another program. */
  openStdin(): Readable;
  /** Resolved settings: flag, environment, profile, git (interface, "Where settings come from"). */
  readonly settings: Settings;
  /** The client of the chosen service; created, with its HTTP library, at the first call. */
  client(): Promise<Client>;
  /**
   * A client of another service than the chosen one, with the same limits; `run` has one of its
   * own. Requests end with the reason of `signal`, not with that of the context.
   */
  connect(service: ServiceAddress, signal: AbortSignal): Promise<Client>;
  /** What was found out about a checkout before; nothing under `--no-cache`. */
  readonly remembered: Remembered;
  /** Data, on standard output. */
  readonly out: Output;
  /** Messages, on standard error. */
  readonly messages: Messages;
  readonly prompts: Prompts;
  /** What messages must not show; a command adds the tokens that it reads. */
  readonly secrets: Secrets;
  /** Aborted by Ctrl-C or TERM; its reason is the `CictlError` to end with. */
  readonly signal: AbortSignal;
  /**
   * Aborted by a second Ctrl-C or TERM: a command that is still shutting down in order stops that,
   * kills what it started and returns at once. The process must not exit on its own before that.
   */
  readonly urgent: AbortSignal;
  /** Version of cictl. */
  readonly version: string;
  /** Runs another command line, as in a pipe, with the global flags of this one. */
  run(args: readonly string[], streams: InnerStreams): Promise<InnerRun>;
}
