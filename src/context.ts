/** Everything that command handlers may use of the process, the terminal and the environment. */
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

export interface ServiceAddress {
  readonly url: string;
  readonly token?: string;
  /** Agent registration token, which `auth login --agent` checks */
  readonly agentToken?: string;
  /** Whether it is the built-in service, which is never accessed through a proxy */
  readonly isBuiltIn?: boolean;
  /** Appended to our name in the `User-Agent` header */
  readonly remark?: string;
}

export interface InnerStreams {
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly signal: AbortSignal;
}

export interface InnerRun {
  readonly exitCode: number;
  readonly error: string | undefined;
}

export interface Context {
  readonly env: Env;
  readonly cwd: string;
  readonly clock: Clock;
  readonly stdin: Stdin;
  openStdin(): Readable;
  readonly settings: Settings;
  /** The client of the selected service, created with its HTTP library at the first call. */
  client(): Promise<Client>;
  /** A client of another service with the same limits. Aborting `signal` aborts its requests. */
  connect(service: ServiceAddress, signal: AbortSignal): Promise<Client>;
  readonly remembered: Remembered;
  readonly out: Output;
  readonly messages: Messages;
  readonly prompts: Prompts;
  /** Redacted in messages. Commands add the tokens that they read. */
  readonly secrets: Secrets;
  /** Aborted by Ctrl-C or SIGTERM; its reason is the `CictlError` to throw. */
  readonly signal: AbortSignal;
  /** Aborted by a second Ctrl-C or SIGTERM: kill everything and return at once. */
  readonly urgent: AbortSignal;
  readonly version: string;
  /** Runs another command line as in a pipe, with the global flags of this one. */
  run(args: readonly string[], streams: InnerStreams): Promise<InnerRun>;
}
