/** Gives command handlers their only access to the process, the terminal and the environment. */
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
  /** Whether this is the local service, which is never accessed through a proxy */
  readonly isBuiltIn?: boolean;
  /** Appended to cictl's name in the `User-Agent` header */
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
  /** Client for the selected service. The first call creates it and loads the HTTP library. */
  client(): Promise<Client>;
  /** Client for another service, with the same timeouts. Aborting `signal` aborts its requests. */
  connect(service: ServiceAddress, signal: AbortSignal): Promise<Client>;
  readonly remembered: Remembered;
  readonly out: Output;
  readonly messages: Messages;
  readonly prompts: Prompts;
  /** Values to redact in messages. Commands add the tokens that they read. */
  readonly secrets: Secrets;
  /** Aborted by Ctrl-C or SIGTERM; its reason is the `CictlError` to throw. */
  readonly signal: AbortSignal;
  /** Aborted by a second Ctrl-C or SIGTERM: kill everything and return immediately. */
  readonly urgent: AbortSignal;
  readonly version: string;
  /** Runs another command line with the same global flags, as if its output were piped. */
  run(args: readonly string[], streams: InnerStreams): Promise<InnerRun>;
}
