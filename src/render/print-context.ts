import type { OutputFormat } from '../parse/output-format.ts';
import type { Colors } from './colors.ts';
import type { DataStream } from './data-stream.ts';
import type { YamlStream } from './yaml-stream.ts';

/** The settings that decide on the form of data. */
export interface OutputSettings {
  readonly output?: OutputFormat;
  readonly fields?: readonly string[];
  readonly jq?: string;
}

/** Messages that printing writes beside the data; see `terminal/messages.ts`. */
export interface PrintMessages {
  note(line: string): void;
  progress(text: string): { update(text: string): void; stop(): void };
}

/** What printing needs besides the data. */
export interface PrintContext extends YamlStream {
  /** The form after the decision between terminal and pipe. */
  readonly format: OutputFormat;
  readonly settings: OutputSettings;
  /** Properties of the terminal; data goes through `write`. */
  readonly stream: DataStream;
  readonly colors: Colors;
  readonly messages: PrintMessages;
  readonly clock: { now(): number };
  /** Ends what may run long; its reason is thrown. */
  readonly signal?: AbortSignal | undefined;
  write(data: string | Uint8Array): Promise<void>;
}
