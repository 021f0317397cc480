import {
  type Command,
  flagName,
  type Argument,
  type Options,
  type Valued,
} from '../command/command.ts';
import { globalOptions } from './globals.ts';
import { optionsOf, readCommandLine, type CommandLine, type Flag } from './program.ts';
import type { Entry } from './tree.ts';
import { incompleteCommand, excessArgument } from './usage-errors.ts';
import type { Env } from '../common/env.ts';
import type { GlobalFlags } from '../config/settings.ts';
import { usageError } from '../errors.ts';
import { parseDuration } from '../parse/flag-values.ts';
import { didYouMean } from '../common/suggest.ts';

/** The parsed command line. */
export type Invocation =
  | { readonly kind: 'version' }
  | { readonly kind: 'help'; readonly topic: readonly string[] }
  | {
      readonly kind: 'run';
      readonly entry: Entry;
      readonly globals: GlobalFlags;
      readonly input: Record<string, unknown>;
    };

/**
 * Reads a command line. Throws a usage error (code 2) for unknown commands and flags, for missing,
 * superfluous or malformed values.
 */
export const parse = (args: readonly string[]): Invocation => toInvocation(readCommandLine(args));

/** `--help` works whatever else is wrong with the command line. */
export function toInvocation(line: CommandLine): Invocation {
  const { entry, flags, path, error, nodeFlag } = line;
  if (nodeFlag !== undefined) throw nodeFlag;
  // For a mistyped command, the help of another does not help.
  if (entry === undefined && error !== undefined) throw error;
  const asked = flags.map(({ key }) => key);
  if (asked.includes('help')) return { kind: 'help', topic: path };
  if (asked.includes('version')) return { kind: 'version' };
  const apart = fieldsBehindJson(line);
  if (apart !== undefined) throw fieldsApart(apart);
  if (error !== undefined) throw error;
  if (entry === undefined && path.length === 0) return { kind: 'help', topic: [] };
  if (entry === undefined) throw incompleteCommand(path);
  const values = optionValues(flags, optionsOf(entry.command));
  const input = { ...values, ...argumentValues(entry.command, line) };
  return { kind: 'run', entry, globals: globalValues(values, entry.command), input };
}

/** Without those that the command declares itself (`--org`, repeatable). */
function globalValues(values: Record<string, unknown>, { options }: Command): GlobalFlags {
  const keys = Object.keys(globalOptions).filter((key) => !Object.hasOwn(options, key));
  return Object.fromEntries(keys.map((key) => [key, values[key]]));
}

/** Whether errors are reported as JSON: `flags` are those that were read, of a wrong line too. */
export function wantsJson(flags: readonly Flag[], env: Env): boolean {
  const last = (wanted: string): string | undefined =>
    flags.findLast(({ key }) => key === wanted)?.value;
  if (flags.some(({ key }) => key === 'json' || key === 'jq')) return true;
  const output = last('output')?.toLowerCase() ?? env['CICTL_OUTPUT'] ?? '';
  return ['json', 'jsonl'].includes(output);
}

// From what stood on the command line to the input of a command.

/** The values of all options by key: arrays for repeatable ones, false for absent switches. */
function optionValues(flags: readonly Flag[], options: Options): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [key, option] of Object.entries(options)) {
    if (option.value === undefined) values[key] = false;
    else if (option.repeat) values[key] = [];
  }
  checkInline(flags);
  for (const { key, value: text, inlineOf } of flags) {
    const option = options[key];
    const list = values[key];
    if (option?.value === undefined) values[key] = true;
    else if (Array.isArray(list))
      list.push(...parts(text ?? '', option).map((part) => convert(key, part, option)));
    else values[key] = convert(inlineOf ?? key, text ?? '', option);
  }
  return values;
}

/** `--json=a,b` and `--fields c` contradict each other. */
function checkInline(flags: readonly Flag[]): void {
  const inline = flags.find(({ inlineOf }) => inlineOf !== undefined);
  const other = flags.find(({ key, inlineOf }) => key === inline?.key && inlineOf === undefined);
  if (inline?.inlineOf === undefined || other === undefined) return;
  const [one, two] = [inline.inlineOf, other.key].map((key) => `--${flagName(key)}`);
  throw usageError(`${one ?? ''}=… and ${two ?? ''} cannot be used together`);
}

/** Several choices may stand in one value: `-s passed,failed`. */
const parts = (text: string, { choices }: Valued): string[] =>
  choices === undefined ? [text] : text.split(',').map((part) => part.trim());

function convert(key: string, typed: string, { type, choices }: Valued): string | number {
  const flag = `--${flagName(key)}`;
  // `-L=5`, as other tools take it; neither a choice nor a number begins so.
  const text = type === 'integer' || choices !== undefined ? typed.replace(/^=/, '') : typed;
  if (choices !== undefined) {
    const choice = chosen(text, choices);
    if (choice !== undefined) return choice;
    const meant = didYouMean(text, choices);
    throw usageError(`${flag} takes ${choices.join(', ')}, not "${text}"${meant}`);
  }
  if (type === 'duration') return parseDuration(text, flag);
  if (type !== 'integer') return text;
  if (!/^[+-]?\d{1,15}$/.test(text))
    throw usageError(`${flag} takes a whole number, not "${text}"`);
  return Number(text);
}

/** In any case, and a state as its word is shown: `timed out`, `not-run`. */
function chosen(text: string, choices: readonly string[]): string | undefined {
  const forms = [text.toLowerCase(), text.toLowerCase().replace(/[\s-]+/g, '_')];
  return choices.find((one) => forms.includes(one));
}

/**
 * The values of all arguments by key, and under `rest` what a program that is passed through gets.
 */
function argumentValues(command: Command, { words, behind }: CommandLine): Record<string, unknown> {
  const own = command.passThrough !== undefined ? words.length - behind : words.length;
  const left = words.slice(0, own);
  const values: Record<string, unknown> = { rest: words.slice(own) };
  for (const [key, argument] of Object.entries(command.arguments)) {
    values[key] = argument.variadic ? left.splice(0) : left.shift();
    values[key] = checkChoice(key, argument, values[key]);
  }
  if (left.length > 0) throw excessArgument(words.slice(0, own), command);
  return values;
}

function checkChoice(key: string, { choices }: Argument, value: unknown): unknown {
  if (choices === undefined || typeof value !== 'string') return value;
  const choice = chosen(value, choices);
  if (choice !== undefined) return choice;
  throw usageError(`${key.toUpperCase()} is one of ${choices.join(', ')}, not "${value}"`);
}

/** Fields in a word of their own, as other tools take them: `--json number,state`. */
export function fieldsBehindJson({ entry, flags, behindJson }: CommandLine): string | undefined {
  if (entry === undefined || behindJson === undefined) return undefined;
  const isGiven = flags.some(({ key }) => key === 'json');
  return isGiven && areFields(behindJson, entry.command) ? behindJson : undefined;
}

type LineCommand = NonNullable<CommandLine['entry']>['command'];

/** One alone may also be the name of what the command is about, but not where that is a reference. */
function areFields(text: string, { arguments: own, resource }: LineCommand): boolean {
  const names = text.split(',');
  if (names.length > 1) return names.every((name) => /^\w+(?:\.\w+)*$/.test(name.trim()));
  const takes = Object.keys(own);
  const isReference = ['target', 'build', 'job'].some((key) => takes.includes(key));
  return (isReference || takes.length === 0) && Object.hasOwn(resource?.members ?? {}, text);
}

const fieldsApart = (fields: string): Error =>
  usageError(`--json takes its fields behind =, and ${JSON.stringify(fields)} is a word apart`);
