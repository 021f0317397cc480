/**
 * What a command may use of the world. Handlers get it as their second argument; nothing else in
 * `commands/` touches the process, the terminal or the environment.
 */
import type { Client } from './api/client.ts';
import type { Settings } from './config/settings.ts';
import type { Output } from './render/output.ts';
import type { Messages } from './terminal/messages.ts';
import type { Prompts } from './terminal/prompt.ts';

/** Variables of the environment. */
export type Env = Readonly<Record<string, string | undefined>>;

/** Where time comes from: milliseconds since the epoch, and waiting. */
export interface Clock {
  now(): number;
  /** Resolves after `ms`; rejects with the signal's reason when that is aborted first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Standard input, read only where a command asks for it. */
export interface Stdin {
  readonly isTerminal: boolean;
  /** All bytes up to the end. */
  read(): Promise<Uint8Array>;
}

export interface Context {
  readonly env: Env;
  readonly cwd: string;
  readonly clock: Clock;
  readonly stdin: Stdin;
  /** Resolved settings: flag, environment, profile, git (interface, "Where settings come from"). */
  readonly settings: Settings;
  /** The client of the chosen service; created, with its HTTP library, at the first call. */
  client(): Promise<Client>;
  /** Data, on standard output. */
  readonly out: Output;
  /** Sentences, on standard error. */
  readonly messages: Messages;
  readonly prompts: Prompts;
  /** Aborted by Ctrl-C or TERM; its reason is the `CictlError` to end with. */
  readonly signal: AbortSignal;
}
