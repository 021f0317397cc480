import type { OutputFormat } from '../parse/output-format.ts';
import type { Colors } from './colors.ts';
import type { DataStream } from './stream.ts';

/** The settings that decide on the form of data. */
export interface OutputSettings {
  readonly output?: OutputFormat;
  readonly fields?: readonly string[];
  readonly jq?: string;
}

/** What printing may say beside the data; `terminal/messages.ts` has it. */
export interface Sentences {
  note(line: string): void;
  progress(text: string): { update(text: string): void; stop(): void };
}

/** Everything that printing one kind of data needs to know. */
export interface Printing {
  /** The form after the decision between terminal and pipe. */
  readonly format: OutputFormat;
  readonly settings: OutputSettings;
  /** What the terminal is like; data goes through `write`. */
  readonly stream: DataStream;
  readonly colors: Colors;
  readonly messages: Sentences;
  readonly clock: { now(): number };
  /** Ends what may run long; its reason is thrown. */
  readonly signal?: AbortSignal | undefined;
  write(data: string | Uint8Array): Promise<void>;
  /** One more document of YAML. */
  writeYaml(value: unknown): Promise<void>;
}
