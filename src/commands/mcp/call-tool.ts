import { onAbort } from '../../common/abort.ts';
import type { Context } from '../../context.ts';
import { CictlError, toJson, usageError } from '../../errors.ts';
import { didYouMean } from '../../common/suggest.ts';
import {
  answer,
  errorAnswer,
  type ToolAnswer,
  createCollector,
  budgetOf,
  usualBytes,
} from './answer.ts';
import { parametersOf, type Parameter, isJson, type Tool, toolsFor } from './tools.ts';

interface Call {
  readonly name: string;
  readonly given: Given;
  /** Aborted when the client cancels the tool call. */
  readonly signal: AbortSignal;
}

/** Runs the command of a tool. On failure, sets `isError` and returns the error as JSON. */
export async function callTool(
  { name, given, signal }: Call,
  tools: readonly Tool[],
  context: Context,
): Promise<ToolAnswer> {
  const redact = (text: string): string => context.secrets.redact(text);
  let budget = usualBytes;
  try {
    const tool = find(name, tools);
    const texts = readValues(tool.name, parametersOf(tool), given);
    budget = budgetOf(texts);
    const args = commandLine(tool, texts);
    const kind = texts.has('jq') ? 'values' : tool.kind;
    const part = args.some((arg) => arg.startsWith('--tail=')) ? 'end' : 'start';
    // Secrets are redacted before truncation, because a truncated secret might not be recognized.
    const most = kind === 'document' ? wholeDocument : 2 * budget + spare;
    const [collector, notes] = [createCollector(most, part), createCollector(spare, 'start')];
    const ended = await context.run(args, {
      ...{ stdout: collector.stream, stderr: notes.stream },
      signal: AbortSignal.any([context.signal, takenBack(signal)]),
    });
    const output = { collector, part, text: redact(collector.text()) } as const;
    const said = redact(notesOf(notes.text(), context));
    return answer({ ...ended, output, notes: said }, kind, budget);
  } catch (error) {
    context.signal.throwIfAborted();
    return errorAnswer(toJson(error, redact), budget);
  }
}

/** Replaces the abort reason of the protocol library with our own error. */
function takenBack(signal: AbortSignal): AbortSignal {
  const controller = new AbortController();
  onAbort(signal, () => controller.abort(new CictlError('interrupted', 'the call was canceled')));
  return controller.signal;
}

/** With `--debug`, prints the notes to the server's standard error instead of returning them. */
function notesOf(text: string, { settings, messages }: Context): string {
  if (!settings.debug) return text;
  if (text !== '') messages.error(text.trimEnd());
  return '';
}

const spare = 16_384;
/** Maximum size in bytes of a document that is read completely before it is truncated. */
const wholeDocument = 64 * 1024 * 1024;

function find(name: string, tools: readonly Tool[]): Tool {
  const tool = tools.find((one) => one.name === name);
  if (tool !== undefined) return tool;
  if (toolsFor(true).some((one) => one.name === name))
    throw usageError(`${name} makes changes, which are not allowed`, 'cictl mcp --allow-changes');
  const names = tools.map((one) => one.name);
  throw usageError(`unknown tool ${name}${didYouMean(name, names)}`);
}

type Given = Readonly<Record<string, unknown>>;

/** Values for the command line, by parameter name. The value of a switch is `true`. */
export type Texts = ReadonlyMap<string, readonly string[]>;

/**
 * Reads the arguments of a call. Also accepts `createdFrom` and `created-from` for `created_from`,
 * a single value for a list, and an object for `K=V`. Ignores null. Exit code 2 for anything else.
 */
export function readValues(tool: string, parameters: readonly Parameter[], given: Given): Texts {
  const texts = new Map<string, readonly string[]>();
  for (const [key, value] of Object.entries(given)) {
    const parameter = parameters.find(({ name }) => plain(name) === plain(key));
    if (parameter === undefined) throw unknownName(tool, key, parameters);
    if (value === null || value === undefined) continue;
    texts.set(parameter.name, textsOf(parameter, value));
  }
  return texts;
}

const plain = (name: string): string => name.replace(/[-_]/g, '').toLowerCase();

function unknownName(tool: string, key: string, parameters: readonly Parameter[]): Error {
  const names = parameters.map(({ name }) => name);
  const meant = didYouMean(key, names);
  return usageError(
    `${tool} has no argument "${key}"${meant}; its arguments are ${names.join(', ')}`,
  );
}

function textsOf({ name, schema }: Parameter, value: unknown): readonly string[] {
  const texts =
    schema.type === 'boolean' ? switchText(value) : valueTexts(name, schema.type, value);
  if (texts !== undefined) return texts;
  const text = JSON.stringify(value).slice(0, 100);
  throw usageError(`${name} must be ${kinds[schema.type]}, not ${text}`);
}

const switchText = (value: unknown): string[] | undefined =>
  isScalar(value) && ['true', 'false'].includes(String(value)) ? [String(value)] : undefined;

function valueTexts(name: string, type: string, value: unknown): readonly string[] | undefined {
  if (isScalar(value)) return [String(value)];
  if (type !== 'array') return name === 'body' ? [JSON.stringify(value)] : undefined;
  const all = Array.isArray(value) ? value : pairs(value as Given);
  return all.every(isScalar) ? all.map(String) : undefined;
}

const kinds = {
  string: 'a string',
  integer: 'an integer',
  boolean: 'true or false',
  array: 'a list of strings',
};

const isScalar = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value);

/** Converts objects to `K=V`, and lists to several `K=V`. Other values are rejected later. */
const pairs = (object: Given): unknown[] =>
  Object.entries(object).flatMap(([key, value]) =>
    (Array.isArray(value) ? (value as unknown[]) : [value]).map((one) =>
      isScalar(one) ? `${key}=${String(one)}` : one,
    ),
  );

// Converts the arguments of a tool call to a command line.

/** Exit code 2 for values that would read a file or the environment of the server. */
export function commandLine(tool: Tool, texts: Texts): string[] {
  const parameters = parametersOf(tool);
  const words = parameters.flatMap(({ name, place }) =>
    place === 'word' ? (texts.get(name) ?? []) : [],
  );
  checkMissing(tool, texts);
  checkReach(tool, words, texts);
  const all = [
    ...tool.command.name.split(' '),
    ...(tool.flags ?? []),
    ...outputFlags(tool, texts),
    ...tailFlags(tool, texts),
    ...budgetFlags(tool, texts),
    ...parameters.flatMap((parameter) => flagsOf(parameter, texts.get(parameter.name) ?? [])),
    ...['--no-input', '--no-color', ...(tool.command.mutates ? ['--yes'] : [])],
  ];
  // With `passThrough`, arguments after `--` would be run as a program.
  return [...all, ...(tool.command.passThrough !== undefined ? [] : ['--']), ...words];
}

function flagsOf({ place, schema }: Parameter, texts: readonly string[]): string[] {
  if (typeof place !== 'object') return [];
  if (schema.type === 'boolean') return texts.includes('true') ? [place.flag] : [];
  return texts.map((one) => `${place.flag}=${one}`);
}

function checkMissing({ name, required = [] }: Tool, texts: Texts): void {
  const missing = required.filter((key) => !texts.has(key));
  if (missing.length > 0) throw usageError(`${name} requires ${missing.join(' and ')}`);
}

/** Clients may use the service, but not programs, files or variables on the server's machine. */
function checkReach({ name, command }: Tool, words: readonly string[], texts: Texts): void {
  const flag = words.find((text) => command.passThrough !== undefined && text.startsWith('-'));
  if (flag !== undefined) throw usageError(`${name} does not accept "${flag}"`);
  if (name === 'builds_create' && texts.get('body')?.some((text) => text.startsWith('@')))
    throw usageError('body must be inline JSON, not a file');
  const variable = texts.get('env')?.find((text) => !text.includes('='));
  if (variable !== undefined)
    throw usageError(`env must be K=V, not "${variable}": the server's own variables are not sent`);
}

const isOn = (texts: Texts, name: string): boolean => texts.get(name)?.includes('true') === true;

function outputFlags(tool: Tool, texts: Texts): string[] {
  if (!isJson(tool) || isOn(texts, 'markdown')) return [];
  const isChosen =
    texts.has('jq') || texts.has('fields') || isOn(texts, 'dry_run') || isOn(texts, 'summary');
  const fields = tool.fields === undefined || isChosen ? [] : [`--fields=${tool.fields}`];
  if (tool.flags !== undefined) return fields;
  // JSON Lines are printed one by one, so pages beyond the limit are never requested.
  const format = tool.kind === 'list' && !texts.has('jq') ? 'jsonl' : 'json';
  return [`--output=${format}`, ...fields];
}

/** The end of a log is the most useful part, unless the client requests a different part. */
function tailFlags({ name }: Tool, texts: Texts): string[] {
  const isChosen = ['head', 'tail', 'grep', 'group', 'groups'].some((key) => texts.has(key));
  return name === 'job_log' && !isChosen ? ['--tail=200'] : [];
}

/** Lets the report select the most useful lines, because truncation would not. */
const budgetFlags = ({ name }: Tool, texts: Texts): string[] =>
  name === 'builds_failures' ? [`--max-bytes=${Math.floor(budgetOf(texts) / 2)}`] : [];
