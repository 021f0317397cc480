/**
 * Data on standard output, in the form that the user chose (interface, "Output"). Sentences go to
 * `terminal/messages.ts` instead.
 */
import type { Column, Resource } from '../api/resources/resource.ts';
import type { Colors } from './colors.ts';
import type { OutputFormat } from '../config/settings.ts';

export interface ListOptions {
  /** Other columns than the resource's own; `--fields` wins over both. */
  readonly columns?: readonly Column[];
  /** The line for standard error when nothing was found; default `no builds found`. */
  readonly empty?: string;
  /**
   * The list spans several pipelines or organizations: the column of the build number gives way to
   * a first one of `PIPELINE/N` or `ORG/PIPELINE/N`.
   */
  readonly reference?: 'pipeline' | 'organization';
}

export interface Output {
  /** The form of the data, after the decision between terminal and pipe. */
  readonly format: OutputFormat;
  readonly isTerminal: boolean;
  /** Columns of the terminal; `Infinity` in a pipe. */
  readonly width: number;
  /** Rows of the terminal; `Infinity` in a pipe. */
  readonly height: number;
  readonly color: Colors;
  /** Prints every element; TSV, JSON and JSONL as they arrive, table and YAML at the end. */
  list(
    resource: Resource,
    elements: AsyncIterable<object> | Iterable<object>,
    options?: ListOptions,
  ): Promise<void>;
  /** Prints one resource: a detail view, or a row of TSV. */
  one(resource: Resource, element: object): Promise<void>;
  /**
   * Runs a change and prints the resource that came back: on a terminal in short, in a pipe its
   * address or id. Under `--dry-run` prints nothing and returns `undefined`.
   */
  changed<T extends object>(resource: Resource, change: () => Promise<T>): Promise<T | undefined>;
  /** A JSON text as the service sent it; `--jq` and an explicit `-o` apply. */
  document(json: string): Promise<void>;
  /** Raw data, untouched, with back-pressure. */
  write(data: string | Uint8Array): Promise<void>;
  /** One line of data; on a terminal without control characters. */
  line(text: string): Promise<void>;
  /** Hands over what is left, and waits for the pager. To be called once, whatever happened. */
  close(): Promise<void>;
}
