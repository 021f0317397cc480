import { type Command, flagName, type Options, type Valued } from '../command/command.ts';
import { globalOptions } from './globals.ts';
import { optionsOf, readCommandLine, type CommandLine, type Flag } from './program.ts';
import type { Entry } from './tree.ts';
import { incompleteCommand, excessArgument } from './usage-errors.ts';
import type { Env } from '../common/env.ts';
import type { GlobalFlags } from '../config/settings.ts';
import { usageError } from '../errors.ts';
import { parseDuration } from '../parse/flag-values.ts';
import { didYouMean } from '../common/suggest.ts';

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
 * Throws a usage error for unknown commands and flags, and for missing, extra or malformed values.
 */
export const parse = (args: readonly string[]): Invocation => toInvocation(readCommandLine(args));

/** `--help` works even if the command line has other errors. */
export function toInvocation(line: CommandLine): Invocation {
  const { entry, flags, path, error, nodeFlag } = line;
  if (nodeFlag !== undefined) throw nodeFlag;
  // If the command is unknown, its help cannot be printed.
  if (entry === undefined && error !== undefined) throw error;
  const asked = flags.map(({ key }) => key);
  if (asked.includes('help')) return { kind: 'help', topic: path };
  if (asked.includes('version')) return { kind: 'version' };
  const apart = fieldsBehindJson(line);
  if (apart !== undefined)
    throw usageError(
      `--json requires = before its fields, but ${JSON.stringify(apart)} is a separate argument`,
    );
  if (error !== undefined) throw error;
  if (entry === undefined && path.length === 0) return { kind: 'help', topic: [] };
  if (entry === undefined) throw incompleteCommand(path);
  const values = optionValues(flags, optionsOf(entry.command));
  const input = { ...values, ...argumentValues(entry.command, line) };
  return { kind: 'run', entry, globals: globalValues(values, entry.command), input };
}

/** Omits global options that the command defines itself, such as a repeatable `--org`. */
function globalValues(values: Record<string, unknown>, { options }: Command): GlobalFlags {
  const keys = Object.keys(globalOptions).filter((key) => !Object.hasOwn(options, key));
  return Object.fromEntries(keys.map((key) => [key, values[key]]));
}

/** Whether errors are reported as JSON. Also works for command lines that could not be parsed. */
export function wantsJson(flags: readonly Flag[], env: Env): boolean {
  if (flags.some(({ key }) => key === 'json' || key === 'jq')) return true;
  const given = flags.findLast(({ key }) => key === 'output')?.value;
  return ['json', 'jsonl'].includes(given?.toLowerCase() ?? env['CICTL_OUTPUT'] ?? '');
}

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
    else if (Array.isArray(list)) {
      // One value may contain several choices: `-s passed,failed`.
      const parts = option.choices === undefined ? [text ?? ''] : (text ?? '').split(',');
      list.push(...parts.map((part) => convert(key, option.choices ? part.trim() : part, option)));
    } else values[key] = convert(inlineOf ?? key, text ?? '', option);
  }
  return values;
}

/** Rejects `--json=a,b` with `--fields c`. */
function checkInline(flags: readonly Flag[]): void {
  const inline = flags.find(({ inlineOf }) => inlineOf !== undefined);
  const other = flags.find(({ key, inlineOf }) => key === inline?.key && inlineOf === undefined);
  if (inline?.inlineOf === undefined || other === undefined) return;
  const [one, two] = [inline.inlineOf, other.key].map((key) => `--${flagName(key)}`);
  throw usageError(`${one ?? ''}=… and ${two ?? ''} cannot be used together`);
}

function convert(key: string, typed: string, { type, choices }: Valued): string | number {
  const flag = `--${flagName(key)}`;
  // Accepts `-L=5`, as other tools do. No choice or number starts with `=`.
  const text = type === 'integer' || choices !== undefined ? typed.replace(/^=/, '') : typed;
  if (choices !== undefined) {
    const choice = chosen(text, choices);
    if (choice !== undefined) return choice;
    const meant = didYouMean(text, choices);
    throw usageError(`${flag} must be one of ${choices.join(', ')}, not "${text}"${meant}`);
  }
  if (type === 'duration') return parseDuration(text, flag);
  if (type !== 'integer') return text;
  if (!/^[+-]?\d{1,15}$/.test(text)) throw usageError(`${flag} must be an integer, not "${text}"`);
  return Number(text);
}

/** Ignores case, and accepts a state as it is displayed: `timed out`, `not-run`. */
function chosen(text: string, choices: readonly string[]): string | undefined {
  const forms = [text.toLowerCase(), text.toLowerCase().replace(/[\s-]+/g, '_')];
  return choices.find((one) => forms.includes(one));
}

/** Argument values by key. `rest` contains the arguments for the other program. */
function argumentValues(command: Command, { words, behind }: CommandLine): Record<string, unknown> {
  const own = command.passThrough !== undefined ? words.length - behind : words.length;
  const left = words.slice(0, own);
  const values: Record<string, unknown> = { rest: words.slice(own) };
  for (const [key, { variadic, choices }] of Object.entries(command.arguments)) {
    const value = variadic ? left.splice(0) : left.shift();
    values[key] = value;
    if (choices === undefined || typeof value !== 'string') continue;
    values[key] = chosen(value, choices);
    if (values[key] === undefined)
      throw usageError(`${key.toUpperCase()} must be one of ${choices.join(', ')}, not "${value}"`);
  }
  if (left.length > 0) throw excessArgument(words.slice(0, own), command);
  return values;
}

/** Returns field names given as a separate argument, as in other tools: `--json number,state`. */
export function fieldsBehindJson({ entry, flags, behindJson }: CommandLine): string | undefined {
  if (entry === undefined || behindJson === undefined) return undefined;
  const isGiven = flags.some(({ key }) => key === 'json');
  return isGiven && areFields(behindJson, entry.command) ? behindJson : undefined;
}

/** A single field name is only accepted if the command does not expect a reference. */
function areFields(text: string, { arguments: own, resource }: Command): boolean {
  const names = text.split(',');
  if (names.length > 1) return names.every((name) => /^\w+(?:\.\w+)*$/.test(name.trim()));
  const takes = Object.keys(own);
  const isReference = ['target', 'build', 'job'].some((key) => takes.includes(key));
  return (isReference || takes.length === 0) && Object.hasOwn(resource?.members ?? {}, text);
}
