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
  /** Aborted when the caller has taken it back. */
  readonly signal: AbortSignal;
}

/** Runs the command of a tool. What fails is an answer, too: `isError`, with the error as JSON. */
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
    // Secrets are found before the text is cut: one that a cut goes through must not be missed.
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

/** The protocol's own reason is any text, and not one of our errors. */
function takenBack(signal: AbortSignal): AbortSignal {
  const controller = new AbortController();
  onAbort(signal, () => controller.abort(new CictlError('interrupted', 'the call was taken back')));
  return controller.signal;
}

/** What `--debug` says is for who started the server. */
function notesOf(text: string, { settings, messages }: Context): string {
  if (!settings.debug) return text;
  if (text !== '') messages.error(text.trimEnd());
  return '';
}

const spare = 16_384;
/** Bytes of one that is read whole before it is made smaller. */
const wholeDocument = 64 * 1024 * 1024;

function find(name: string, tools: readonly Tool[]): Tool {
  const tool = tools.find((one) => one.name === name);
  if (tool !== undefined) return tool;
  if (toolsFor(true).some((one) => one.name === name))
    throw usageError(`${name} changes something`, 'cictl mcp --allow-changes');
  const names = tools.map((one) => one.name);
  throw usageError(`there is no tool ${name}${didYouMean(name, names)}`);
}

/** What came with a call. */
type Given = Readonly<Record<string, unknown>>;

/** Values as they stand on a command line, by the names of the parameters; a switch is `true`. */
export type Texts = ReadonlyMap<string, readonly string[]>;

/**
 * Reads the arguments of a call: `createdFrom` and `created-from` are `created_from`, one value may
 * stand for a list, and an object for its `K=V`. Null counts as left out. Code 2 for the rest.
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
  return usageError(`${tool} takes no "${key}"${meant}; it takes ${names.join(', ')}`);
}

function textsOf({ name, schema }: Parameter, value: unknown): readonly string[] {
  const texts =
    schema.type === 'boolean' ? switchText(value) : valueTexts(name, schema.type, value);
  if (texts !== undefined) return texts;
  const text = JSON.stringify(value).slice(0, 100);
  throw usageError(`${name} is ${kinds[schema.type]}, not ${text}`);
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
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list of strings',
};

const isScalar = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value);

/** `K=V`, several for a list; what is neither text nor number stays, and is refused. */
const pairs = (object: Given): unknown[] =>
  Object.entries(object).flatMap(([key, value]) =>
    (Array.isArray(value) ? (value as unknown[]) : [value]).map((one) =>
      isScalar(one) ? `${key}=${String(one)}` : one,
    ),
  );

// From what a caller gave to the command line of the tool's command.

/** The arguments of `cictl`. Code 2 for what would read a file or the environment of the server. */
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
  // What follows `--` is a program to a command that passes it through.
  return [...all, ...(tool.command.passThrough !== undefined ? [] : ['--']), ...words];
}

function flagsOf({ place, schema }: Parameter, texts: readonly string[]): string[] {
  if (typeof place !== 'object') return [];
  if (schema.type === 'boolean') return texts.includes('true') ? [place.flag] : [];
  return texts.map((one) => `${place.flag}=${one}`);
}

function checkMissing({ name, required = [] }: Tool, texts: Texts): void {
  const missing = required.filter((key) => !texts.has(key));
  if (missing.length > 0) throw usageError(`${name} needs ${missing.join(' and ')}`);
}

/** A caller gets at the service, and at nothing of this machine: no program, file or variable. */
function checkReach({ name, command }: Tool, words: readonly string[], texts: Texts): void {
  const flag = words.find((text) => command.passThrough !== undefined && text.startsWith('-'));
  if (flag !== undefined) throw usageError(`${name} takes no "${flag}"`);
  if (name === 'builds_create' && texts.get('body')?.some((text) => text.startsWith('@')))
    throw usageError('body is the JSON itself: no file is read here');
  const variable = texts.get('env')?.find((text) => !text.includes('='));
  if (variable !== undefined)
    throw usageError(`env takes K=V, not "${variable}": no variable of this machine goes out`);
}

const isOn = (texts: Texts, name: string): boolean => texts.get(name)?.includes('true') === true;

function outputFlags(tool: Tool, texts: Texts): string[] {
  if (!isJson(tool) || isOn(texts, 'markdown')) return [];
  const isChosen =
    texts.has('jq') || texts.has('fields') || isOn(texts, 'dry_run') || isOn(texts, 'summary');
  const fields = tool.fields === undefined || isChosen ? [] : [`--fields=${tool.fields}`];
  if (tool.flags !== undefined) return fields;
  // Of a list each element comes as soon as it is there: what is too much is not even asked for.
  const format = tool.kind === 'list' && !texts.has('jq') ? 'jsonl' : 'json';
  return [`--output=${format}`, ...fields];
}

/** The end of a log says most; what is chosen by other means comes as it was chosen. */
function tailFlags({ name }: Tool, texts: Texts): string[] {
  const isChosen = ['head', 'tail', 'grep', 'group', 'groups'].some((key) => texts.has(key));
  return name === 'job_log' && !isChosen ? ['--tail=200'] : [];
}

/** The report chooses by what says most, which is better than to cut it afterwards. */
const budgetFlags = ({ name }: Tool, texts: Texts): string[] =>
  name === 'builds_failures' ? [`--max-bytes=${Math.floor(budgetOf(texts) / 2)}`] : [];
