/** From the arguments of the process to a command with its input. */
import type { GlobalFlags } from '../config/settings.ts';
import type { Env } from '../context.ts';
import { usageError } from '../errors.ts';
import type { Argument, Command, Options } from './command.ts';
import { globalOptions } from './globals.ts';
import { refuseNodeFlags } from './node-flags.ts';
import { suggest } from '../suggest.ts';
import { commandTree, follow, type Entry, type Node } from './tree.ts';
import { optionValues, splitWords, type Flag, type Part, type Word } from './words.ts';

/** What a command line asks for. */
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
export function parse(args: readonly string[]): Invocation {
  refuseNodeFlags(args);
  const { entry, used } = findCommand(args);
  const parts = splitWords(args, optionsOf(entry));
  const flags = parts.filter((part): part is Flag => part.kind === 'flag');
  const asked = flags.map((flag) => flag.key);
  if (asked.includes('help')) return { kind: 'help', topic: usedWords(args, used) };
  if (asked.includes('version')) return { kind: 'version' };
  const values = optionValues(flags, optionsOf(entry));
  if (entry === undefined) {
    if (used.length === 0) return { kind: 'help', topic: [] };
    throw incomplete(usedWords(args, used));
  }
  const words = parts.filter((part): part is Word => isWord(part) && !used.includes(part.index));
  const input = { ...values, ...argumentValues(entry.command, words) };
  return { kind: 'run', entry, globals: globalValues(values, entry.command), input };
}

/** Without those that the command takes in a form of its own (`--org`, repeatable). */
function globalValues(values: Record<string, unknown>, { options }: Command): GlobalFlags {
  const keys = Object.keys(globalOptions).filter((key) => !Object.hasOwn(options, key));
  return Object.fromEntries(keys.map((key) => [key, values[key]]));
}

const isWord = (part: Part): part is Word => part.kind === 'word';

const optionsOf = (entry: Entry | undefined): Options => ({
  ...globalOptions,
  ...entry?.command.options,
});

const usedWords = (args: readonly string[], used: readonly number[]): string[] =>
  used.map((index) => args[index] ?? '');

/** Follows the words from the root; `used` are the places of those that name the command. */
function findCommand(args: readonly string[]): { entry?: Entry; used: number[] } {
  const used: number[] = [];
  let node: Node = commandTree();
  for (const part of splitWords(args, globalOptions)) {
    if (part.kind === 'flag') {
      if (part.key === undefined) break;
      continue;
    }
    if (part.behind) break;
    const next = follow(node, part.text);
    if (next === undefined) throw unknownWord(part.text, usedWords(args, used), node);
    used.push(part.index);
    node = next;
    if (node.entry !== undefined && node.words.size === 0) break;
  }
  return node.entry === undefined ? { used } : { entry: node.entry, used };
}

function unknownWord(word: string, before: readonly string[], node: Node): Error {
  const path = before.join(' ');
  const meant = suggest(word, node.words.keys());
  const known = [...node.words.keys()].join(', ');
  const message = `unknown command "${[...before, word].join(' ')}"`;
  if (meant !== undefined) return usageError(message, `cictl ${[...before, meant].join(' ')}`);
  return usageError(path === '' ? message : `${message}; ${path} has ${known}`, 'cictl help');
}

const incomplete = (words: readonly string[]): Error =>
  usageError(`"${words.join(' ')}" is not a whole command`, `cictl ${words.join(' ')} --help`);

function argumentValues(command: Command, words: readonly Word[]): Record<string, unknown> {
  const values: Record<string, unknown> = { rest: [] };
  let left = words.map((word) => word.text);
  if (command.passThrough) {
    values['rest'] = words.filter((word) => word.behind).map((word) => word.text);
    left = words.filter((word) => !word.behind).map((word) => word.text);
  }
  for (const [key, argument] of Object.entries(command.arguments)) {
    values[key] = argument.variadic ? left.splice(0) : left.shift();
    checkArgument(command, key, argument, values[key]);
  }
  const extra = left[0];
  if (extra !== undefined) {
    throw usageError(`${command.name} does not take the argument "${extra}"`, helpOf(command));
  }
  return values;
}

function checkArgument(command: Command, key: string, argument: Argument, value: unknown): void {
  const given = Array.isArray(value) ? value.length > 0 : value !== undefined;
  if (!given && argument.required) {
    throw usageError(
      `${command.name} needs ${key.toUpperCase()}: ${argument.summary}`,
      helpOf(command),
    );
  }
  if (
    argument.choices !== undefined &&
    typeof value === 'string' &&
    !argument.choices.includes(value)
  ) {
    throw usageError(
      `${key.toUpperCase()} is one of ${argument.choices.join(', ')}, not "${value}"`,
    );
  }
}

const helpOf = (command: Command): string => `cictl ${command.name} --help`;

/** Whether errors are to be told as JSON, for command lines that cannot be parsed too. */
export function asksForJson(args: readonly string[], env: Env): boolean {
  const end = args.indexOf('--');
  const flags = end < 0 ? args : args.slice(0, end);
  const isJson = (format: string | undefined) => format === 'json' || format === 'jsonl';
  const output = flags.flatMap((arg, index) => {
    if (arg === '-o' || arg === '--output') return [flags[index + 1]];
    return /^(?:--output=|-o)(.+)$/.exec(arg)?.slice(1, 2) ?? [];
  });
  if (flags.some((arg) => /^--(?:json|jq)(?:=|$)/.test(arg))) return true;
  return isJson(output.at(-1) ?? env['CICTL_OUTPUT']);
}
