/** Writes data to standard output. Messages go to `terminal/messages.ts`. */
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
import { filterDocument, printDocument, printJson, jsonText } from './print-json.ts';
import { type Scope, referenceField, fieldOf, type Field, type Cell } from './cell.ts';
import type { DataStream } from './data-stream.ts';
import { cleanText } from '../common/untrusted-text.ts';
import type { PlannedRequest } from '../api/call.ts';
import { parseJson, stringifyJson } from '../api/json.ts';
import { selectFields, withComputed, pickPaths, unknownField, hasPath } from './fields.ts';
import { assertResource, withoutLists } from '../api/resources/check.ts';
import { tsvText } from './tsv.ts';
import { emojisFor } from './shortcodes.ts';
import type { StateMarks } from './state.ts';

interface ListOptions {
  /** Replaces the columns of the resource, unless `--fields` is set */
  readonly columns?: readonly Column[];
  /** The message for an empty list. The default is built from the name: `no builds found` */
  readonly empty?: string;
  /** For commands with a `--format` of their own. `--fields` and `--jq` still apply */
  readonly format?: OutputFormat;
  /** For lists that span several pipelines or organizations; they show references, not numbers. */
  readonly reference?: Scope;
}

export interface Output {
  /** The final format, which may depend on whether the output is a terminal */
  readonly format: OutputFormat;
  readonly isTerminal: boolean;
  /** Whether the terminal can be updated in place */
  readonly isScreen: boolean;
  /** Columns of the terminal; `Infinity` in a pipe. */
  readonly width: number;
  /** Rows of the terminal; `Infinity` in a pipe. */
  readonly height: number;
  readonly color: Colors;
  /**
   * Usage error if `--jq` or `--fields` is invalid, or if there is no resource for `--fields`. Call
   * this before the first request. `list` and `changed` call it themselves.
   */
  check(resource?: Resource, command?: { readonly mutates?: boolean }): Promise<void>;
  /** Prints TSV, JSON and JSONL as elements arrive. Prints tables and YAML at the end. */
  list(
    resource: Resource,
    elements: AsyncIterable<object> | Iterable<object>,
    options?: ListOptions,
  ): Promise<void>;
  one(resource: Resource, element: object): Promise<void>;
  /**
   * Runs a change and prints the returned resource: a short view on a terminal, its URL or ID in a
   * pipe. With `--dry-run`, prints nothing and returns `undefined`. `verb` is the past participle,
   * such as `canceled` (default: `changed`).
   */
  changed<T extends object>(
    resource: Resource,
    change: () => Promise<T>,
    verb?: string,
  ): Promise<T | undefined>;
  /** Prints JSON as received. `--jq` and an explicit `-o` apply. */
  document(json: string): Promise<void>;
  /** Returns the text that `document` would print with `--jq` in a pipe. */
  filtered(json: string): Promise<string>;
  event(value: object): Promise<void>;
  write(data: string | Uint8Array): Promise<void>;
  /** Prints one line without control and invisible characters. */
  line(text: string): Promise<void>;
  /** Flushes and waits for the pager. Must always be called; calling it twice is safe. */
  close(): Promise<void>;
}

interface OutputParts {
  readonly settings: OutputSettings;
  readonly stream: DataStream;
  /** Disables updates in place (`TERM=dumb`, `CI=true`). Defaults to false */
  readonly isStill?: boolean;
  readonly color: boolean;
  readonly clock: { now(): number };
  /** Aborting this signal stops long output, and its reason is thrown */
  readonly signal?: AbortSignal;
  readonly messages: PrintMessages;
  /** Opens a pager. Called before the first output on a terminal. */
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

/** Opens the stream or its pager at the first output. */
function openOnce({ stream, page }: OutputParts) {
  let opening: Promise<DataStream> | undefined;
  let closing: Promise<void> | undefined;
  const open = async () => (stream.isTerminal ? await page?.() : undefined) ?? stream;
  const close = async () => (await (opening ?? stream)).close();
  return { open: () => (opening ??= open()), close: () => (closing ??= close()) };
}

/** Prints the request that would be sent without `--dry-run`. */
export async function printRequest(
  { method, url, body }: PlannedRequest,
  { out, secrets }: { out: Output; secrets: { redact: (text: string) => string } },
): Promise<void> {
  if (out.format === 'table' || out.format === 'tsv') {
    return out.write(secrets.redact(`${method} ${url}\n${body === undefined ? '' : `${body}\n`}`));
  }
  const shownBody = body === undefined ? null : bodyValue(secrets.redact(body));
  return out.document(stringifyJson({ method, url: secrets.redact(url), body: shownBody }));
}

/** The body of a `cictl api` request may not be JSON. */
function bodyValue(body: string): unknown {
  try {
    return parseJson(body);
  } catch {
    return body;
  }
}

async function printList(
  context: PrintContext,
  resource: Resource,
  elements: AsyncIterable<object> | Iterable<object>,
  options: ListOptions,
): Promise<void> {
  await checkSettings(context.settings, resource);
  const progress = context.messages.progress(`loading ${resource.plural}`);
  const write: PrintContext['write'] = (data) => {
    progress.stop();
    return context.write(data);
  };
  try {
    const format = options.format ?? context.format;
    const printer = choosePrinter({ ...context, format, write }, resource, options);
    const { fields } = context.settings;
    const unknown = fields === undefined ? [] : selectFields(resource, fields).unknown;
    let count = 0;
    for await (const element of requireFoundFields(resource, unknown, elements)) {
      if (format === 'table' && resource.hasNoRow?.(element) === true) continue;
      await printer.add(element);
      count += 1;
      if (count % 100 === 0) progress.update(`loading ${resource.plural} (${count})`);
    }
    await printer.end();
    progress.stop();
    // JSON and YAML can express an empty list, so they need no message.
    if (count === 0 && context.format !== 'json' && context.format !== 'yaml')
      context.messages.note(options.empty ?? `no ${resource.plural} found`);
  } finally {
    progress.stop();
  }
}

interface Printer {
  add(element: object): Promise<void> | void;
  end(): Promise<void> | void;
}

function choosePrinter(context: PrintContext, resource: Resource, options: ListOptions): Printer {
  const { format, settings, clock } = context;
  const { fields } = settings;
  const isRow = format === 'table' || format === 'tsv';
  const own = (format === 'tsv' ? resource.tsv : undefined) ?? resource.columns;
  const columns =
    fields === undefined ? (options.columns ?? own) : selectFields(resource, fields).columns;
  const paths = isRow || fields !== undefined ? columns.map(({ path }) => path) : [];
  const printer = isRow
    ? rowPrinter(context, listFields(context, resource, columns, options))
    : dataPrinter(context, resource, (element) =>
        fields === undefined ? element : pickPaths(element, paths),
      );
  const hasComputed = paths.some((path) => mayBeComputed(resource, path));
  const checked = withoutLists(resource, paths);
  return {
    add(sent) {
      const element = hasComputed ? withComputed(resource, sent, paths, clock.now()) : sent;
      // Cells rely on field types. JSON is passed on unchanged, so types do not matter there.
      if (isRow) assertResource(checked, element);
      return printer.add(element);
    },
    end: () => printer.end(),
  };
}

const mayBeComputed = ({ computed = {} }: Resource, path: string): boolean =>
  path.includes('.') || Object.hasOwn(computed, path);

function listFields(
  { settings }: PrintContext,
  resource: Resource,
  columns: readonly Column[],
  { reference }: ListOptions,
): Field[] {
  if (settings.fields !== undefined || reference === undefined)
    return columns.map((column) => fieldOf(resource, column));
  const others = columns
    .filter(({ path, show }) => path !== 'number' && show !== 'glyph')
    .map((column) => fieldOf(resource, column.show === 'words' ? withGlyph(column) : column));
  return [referenceField(reference), ...others];
}

/** Adds the state's symbol to this column if the state has no column of its own. */
const withGlyph = ({ path, heading, priority }: Column): Column => ({
  ...{ path, heading },
  ...(priority !== undefined && { priority }),
});

const rowPrinter = (context: PrintContext, fields: readonly Field[]): Printer =>
  context.format === 'table'
    ? tablePrinter(context, fields)
    : {
        add: (element) => context.write(tsvText(context, fields, element)),
        end: () => undefined,
      };

function dataPrinter(
  context: PrintContext,
  resource: Resource,
  pick: (element: object) => unknown,
): Printer {
  const { format, settings } = context;
  if (format === 'yaml') {
    return loadedPrinter(async () => {
      const list = (await import('./yaml.ts')).yamlList(context);
      return { add: (element) => list.add(pick(element)), end: () => list.end() };
    });
  }
  if (settings.jq !== undefined) {
    return loadedPrinter(async () => {
      const { jqArray, jqLines } = await import('./jq/list.ts');
      const list = format === 'jsonl' ? jqLines(context) : jqArray(context, resource);
      return { add: (element) => list.add(stringifyJson(pick(element))), end: () => list.end() };
    });
  }
  if (format === 'jsonl')
    return { add: (element) => printJson(context, pick(element)), end: () => undefined };
  let before = '[\n';
  return {
    async add(element) {
      const text = jsonText(context, pick(element));
      const lines = context.stream.isTerminal ? text.replace(/^/gm, '  ') : text;
      await context.write(before + lines);
      before = ',\n';
    },
    end: () => context.write(before === ',\n' ? '\n]\n' : '[]\n'),
  };
}

function loadedPrinter(load: () => Promise<Printer>): Printer {
  let loading: Promise<Printer> | undefined;
  const printer = (): Promise<Printer> => (loading ??= load());
  return {
    add: async (element) => (await printer()).add(element),
    end: async () => (await printer()).end(),
  };
}

/** Keeps the cells of all elements, because the column widths are only known at the end. */
function tablePrinter(context: PrintContext, fields: readonly Field[]): Printer {
  const rows: Cell[][] = [];
  return {
    add: (element) => void rows.push(fields.map((field) => ownCell(field.read(element)))),
    async end() {
      if (rows.length === 0) return;
      const { drawTable } = await import('./table.ts');
      const emojis = await emojisFor(proseOf(rows.flat()));
      const { colors, clock, stream } = context;
      const keepsEmpty = context.settings.fields !== undefined;
      const cellOptions = { colors, now: clock.now(), width: stream.width, keepsEmpty, emojis };
      await context.write(drawTable(fields.map(readFromRow), rows, cellOptions));
    },
  };
}

const readFromRow = (field: Field, at: number): Field => ({
  ...field,
  read: (row) => (row as Cell[])[at] ?? { kind: 'text', value: null, parent: null },
});

const proseOf = (cells: readonly Cell[]): string[] =>
  cells.flatMap(({ kind, value }) =>
    kind === 'prose' && typeof value === 'string' ? [value] : [],
  );

/** To save memory, drops the parent unless a state needs it. */
function ownCell({ kind, value, parent, tail }: Cell): Cell {
  if (!['state', 'glyph', 'words'].includes(kind)) return { kind, value, parent: null, tail };
  const { blocked, soft_failed } = (parent ?? {}) as StateMarks;
  return { kind, value, parent: { blocked, soft_failed } };
}

/** In elements: the size of a page. */
const maxExamined = 100;

/**
 * Passes elements on once each path has been found in an element. Usage error before the first
 * element if a path is not in the first page (or in the whole array). An empty list has every path.
 */
async function* requireFoundFields(
  resource: Resource,
  paths: readonly string[],
  elements: AsyncIterable<object> | Iterable<object>,
): AsyncGenerator<object> {
  const max = Array.isArray(elements) ? Infinity : maxExamined;
  const examined: object[] = [];
  let missing = paths;
  for await (const element of elements) {
    if (missing.length === 0) {
      yield element;
      continue;
    }
    examined.push(element);
    missing = missing.filter((path) => !hasPath(element, path));
    if (missing.length === 0) yield* examined;
    else if (examined.length >= max) break;
  }
  const [first] = missing;
  if (first !== undefined && examined.length > 0) throw unknownField(resource, first, examined);
}
