/**
 * Data on standard output, in the form that the user chose (interface, "Output"). Sentences go to
 * `terminal/messages.ts` instead.
 */
import type { Column, Resource } from '../api/resources/resource.ts';
import type { OutputFormat } from '../parse/output-format.ts';
import { printChange, printOne } from './print-one.ts';
import {
  checkSettings,
  chooseFormat,
  type OutputSettings,
  type PrintContext,
  type PrintMessages,
  yamlStream,
} from './print-context.ts';
import { createColors, type Colors } from './colors.ts';
import { filterDocument, printDocument, printJson } from './print-json.ts';
import { printList } from './print-list.ts';
import type { Scope } from './cell.ts';
import type { DataStream } from './data-stream.ts';
import { cleanText } from '../common/untrusted-text.ts';
import type { PlannedRequest } from '../api/call.ts';
import { parseJson, stringifyJson } from '../api/json.ts';

export interface ListOptions {
  /** Other columns than the resource's own; `--fields` wins over both. */
  readonly columns?: readonly Column[];
  /** The line for standard error when nothing was found; default `no builds found`. */
  readonly empty?: string;
  /** The form, where the command has a `--format` of its own; `--fields` and `--jq` still apply. */
  readonly format?: OutputFormat;
  /**
   * The list spans several pipelines or organizations: the column of the build number is replaced
   * by a first one of `PIPELINE/N` or `ORG/PIPELINE/N`.
   */
  readonly reference?: Scope;
}

export interface Output {
  /** The form of the data, after the decision between terminal and pipe. */
  readonly format: OutputFormat;
  readonly isTerminal: boolean;
  /** A terminal on which what was written can be written over. */
  readonly isScreen: boolean;
  /** Columns of the terminal; `Infinity` in a pipe. */
  readonly width: number;
  /** Rows of the terminal; `Infinity` in a pipe. */
  readonly height: number;
  readonly color: Colors;
  /**
   * Throws `CictlError` of kind `usage` for a `--jq` that is no program, and for `--fields` that
   * the resource has not or, without a resource, that cannot apply. To be called before the first
   * request of a command; `list` and `changed` do so themselves.
   */
  check(resource?: Resource, command?: { readonly mutates?: boolean }): Promise<void>;
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
   *
   * @param verb what was done: `canceled`; default `changed`
   */
  changed<T extends object>(
    resource: Resource,
    change: () => Promise<T>,
    verb?: string,
  ): Promise<T | undefined>;
  /** A JSON text as the service sent it; `--jq` and an explicit `-o` apply. */
  document(json: string): Promise<void>;
  /** What `--jq` makes of a JSON text, in place of printing it: as it would be in a pipe. */
  filtered(json: string): Promise<string>;
  /** One event as a line of JSON; `--jq` applies. */
  event(value: object): Promise<void>;
  /** Raw data, untouched, with back-pressure. */
  write(data: string | Uint8Array): Promise<void>;
  /** One line of data, without control and hidden characters. */
  line(text: string): Promise<void>;
  /** Hands over what is left, and waits for the pager. To be called, whatever happened; twice is safe. */
  close(): Promise<void>;
}

interface OutputParts {
  readonly settings: OutputSettings;
  readonly stream: DataStream;
  /** Nothing changes in place, as `TERM=dumb` and `CI=true` request; default false. */
  readonly isStill?: boolean;
  /** The colour decision for the stream. */
  readonly color: boolean;
  readonly clock: { now(): number };
  /** Ends what may run long; its reason is thrown. */
  readonly signal?: AbortSignal;
  readonly messages: PrintMessages;
  /** Opens a pager for the data; called at the first output, and only on a terminal. */
  readonly page?: () => Promise<DataStream | undefined>;
}

export async function createOutput(parts: OutputParts): Promise<Output> {
  const { settings, stream, clock, messages, signal } = parts;
  const colors = await createColors(parts.color);
  const format = chooseFormat(settings, stream.isTerminal);
  const target = openOnce(parts);
  const write: Output['write'] = async (data) => (await target.open()).write(data);
  const context: PrintContext = {
    ...{ format, settings, stream, colors, messages, clock, signal },
    ...{ write, ...yamlStream(write, signal) },
  };
  return {
    format,
    isTerminal: stream.isTerminal,
    isScreen: stream.isTerminal && parts.isStill !== true,
    get width() {
      return stream.width;
    },
    get height() {
      return stream.height;
    },
    color: colors,
    check: (resource, command) => checkSettings(settings, resource, command),
    list: (resource, elements, options = {}) => printList(context, resource, elements, options),
    one: (resource, element) => printOne(context, resource, element),
    changed: (resource, change, verb = 'changed') => printChange(context, resource, change, verb),
    document: (json) => printDocument(context, json),
    filtered: (json) => filterDocument(context, json),
    event: (value) => printJson({ ...context, format: 'jsonl' }, value),
    write,
    line: (text) => write(`${cleanText(text)}\n`),
    close: () => target.close(),
  };
}

/** The stream, or the pager in front of it, from the first output on. */
function openOnce({ stream, page }: OutputParts): {
  open(): Promise<DataStream>;
  close(): Promise<void>;
} {
  let opening: Promise<DataStream> | undefined;
  let closing: Promise<void> | undefined;
  const closeIt = async (): Promise<void> => (await (opening ?? stream)).close();
  const open = async (): Promise<DataStream> =>
    (stream.isTerminal ? await page?.() : undefined) ?? stream;
  return {
    open: () => (opening ??= open()),
    close: () => (closing ??= closeIt()),
  };
}

interface Parts {
  readonly out: Output;
  readonly secrets: { readonly redact: (text: string) => string };
}

/** What `--dry-run` prints of a request: method, address and body; as JSON under `--json`. */
export async function printRequest(
  { method, url, body }: PlannedRequest,
  { out, secrets }: Parts,
): Promise<void> {
  if (out.format === 'table' || out.format === 'tsv') {
    return out.write(secrets.redact(`${method} ${url}\n${body === undefined ? '' : `${body}\n`}`));
  }
  const shownBody = body === undefined ? null : bodyValue(secrets.redact(body));
  return out.document(stringifyJson({ method, url: secrets.redact(url), body: shownBody }));
}

/** `api` may send what is no JSON. */
function bodyValue(body: string): unknown {
  try {
    return parseJson(body);
  } catch {
    return body;
  }
}
