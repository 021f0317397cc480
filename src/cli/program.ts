/**
 * The only file that uses Commander. Creates parsers only for commands and options that may be on
 * the command line.
 */
import { Argument, Command as Parser, CommanderError, Option as ParserOption } from 'commander';
import { flagName, type Command, type Option, type Options } from '../command/command.ts';
import { globalOptions } from './globals.ts';
import { aliasesOf, commandTree, type Entry, type Node } from './tree.ts';
import * as usage from './usage-errors.ts';
import { webFlags } from '../commands/web-flags.ts';
import { usageError } from '../errors.ts';

export interface Flag {
  /** The key of the option in the command's definition. */
  readonly key: string;
  readonly value: string | undefined;
  /** The switch whose value follows `=`: `json` for `--json=a,b`. */
  readonly inlineOf?: string;
}

export interface CommandLine {
  readonly path: string[];
  /** Undefined if the words are not a command, or only a noun. */
  entry?: Entry;
  /** In the order in which the user typed them; also set if the command line is invalid. */
  readonly flags: Flag[];
  /** All arguments, including those after `--`. */
  words: string[];
  /** Number of words after `--`. */
  behind: number;
  /** The argument that follows the first `--json`. */
  readonly behindJson: string | undefined;
  /** A usage error; undefined for an incomplete command line. */
  error: Error | undefined;
  /** The error for a flag that Node itself handles; it is reported even with `--help`. */
  readonly nodeFlag: Error | undefined;
}

/**
 * Parses a command line. The value of a flag may look like a flag (`-m -q`). An argument that
 * starts with `-` and contains whitespace is not a flag, unless it is `--flag=value`.
 */
export function readCommandLine(args: readonly string[]): CommandLine {
  const line = read(args, isDashedText);
  if (!args.some(isDashedText)) return line;
  const flags = new Set(Object.keys(optionsOf(line.entry?.command)).map(flagName));
  const isFlag = (arg: string): boolean => flags.has(/^--([^=\s]+)=/.exec(arg)?.[1] ?? '');
  if (!args.some((arg) => isDashedText(arg) && isFlag(arg))) return line;
  return read(args, (arg) => isDashedText(arg) && !isFlag(arg));
}

export const optionsOf = (command: Command | undefined): Options => ({
  ...globalOptions,
  ...command?.options,
});

const isDashedText = (arg: string): boolean => arg.startsWith('-') && /\s/.test(arg);

interface Reading {
  readonly line: CommandLine;
  readonly nodes: Map<Parser, Node>;
  /** The arguments, each truncated before its first `=`. */
  readonly typed: ReadonlySet<string>;
  /** Whether there may be short flags, which can share a dash. */
  readonly hasShort: boolean;
  readonly masked: Masked;
  /** The command that is being parsed. */
  parser: Parser;
}

function read(args: readonly string[], isWord: (arg: string) => boolean): CommandLine {
  const line: CommandLine = {
    ...{ path: [], flags: [], words: [], behind: 0 },
    ...{ error: undefined, nodeFlag: nodeFlagError(args) },
    behindJson: args.includes('--json') ? args[args.indexOf('--json') + 1] : undefined,
  };
  const program = new Parser('cictl');
  const masked = mask(args, isWord);
  const reading: Reading = {
    ...{ line, masked, nodes: new Map(), parser: program },
    typed: new Set(args.map((arg) => /^--[^=]*(?==)/.exec(arg)?.[0] ?? arg)),
    hasShort: args.some((arg) => /^-[^-]/.test(arg)),
  };
  // These settings also apply to subcommands.
  program
    .helpOption(false)
    .helpCommand(false)
    .enablePositionalOptions()
    .showSuggestionAfterError(false)
    .configureOutput({ writeOut: () => undefined, writeErr: () => undefined })
    .exitOverride();
  fill(program, commandTree(), reading);
  try {
    program.parse(masked.args, { from: 'user' });
  } catch (error) {
    line.error = usageErrorOf(error, reading);
  }
  line.behind = countBehind(args, line.flags);
  return line;
}

/** Returns the number of arguments after `--`, ignoring a `--` that is the value of a flag. */
function countBehind(args: readonly string[], flags: readonly Flag[]): number {
  let end = args.indexOf('--');
  for (const { value } of flags) if (value === '--') end = args.indexOf('--', end + 1);
  return end === -1 ? 0 : args.length - end - 1;
}

function fill(parser: Parser, node: Node, reading: Reading): void {
  reading.parser = parser;
  reading.nodes.set(parser, node);
  addOptions(parser, optionsOf(node.entry?.command), reading);
  addInlineValues(parser, reading);
  if (node.words.size > 0 || node.entry === undefined) addCommands(parser, node, reading);
  if (node.entry !== undefined) addArguments(parser, node.entry, reading);
}

function addCommands(parser: Parser, node: Node, reading: Reading): void {
  for (const [word, child] of node.words) {
    const names = [word, ...aliasesOf(word, child)];
    if (!names.some((name) => reading.typed.has(name))) continue;
    reading.nodes.set(parser.command(word).aliases(names.slice(1)), child);
  }
  // Without an action, Commander prints its own help.
  parser.action(() => undefined);
  parser.hook('preSubcommand', (_, child) => {
    reading.line.path.push(reading.masked.unmask(parser.args[0] ?? ''));
    fill(child, reading.nodes.get(child) ?? node, reading);
  });
}

function addOptions(parser: Parser, options: Options, reading: Reading): void {
  const { line, masked, typed, hasShort } = reading;
  for (const [key, { short, value }] of Object.entries(options)) {
    const long = `--${flagName(key)}`;
    if (!typed.has(long) && !(hasShort && short !== undefined)) continue;
    const form = value === undefined ? long : `${long} <${value}>`;
    const option = new ParserOption(short === undefined ? form : `-${short}, ${form}`);
    parser.addOption(option);
    parser.on(`option:${option.name()}`, (text: string | undefined) => {
      line.flags.push({ key, value: option.required ? masked.unmask(text ?? '') : undefined });
    });
  }
}

/** Adds `--json=` to Commander as a separate switch, which then becomes two flags. */
function addInlineValues(parser: Parser, { line, nodes, masked }: Reading): void {
  const known = optionsOf(nodes.get(parser)?.entry?.command);
  for (const { placeholder, key, valueKey, value } of masked.inline) {
    if (!Object.hasOwn(known, key)) continue;
    const option = new ParserOption(placeholder);
    parser.addOption(option);
    parser.on(`option:${option.name()}`, () => {
      line.flags.push({ key, value: undefined }, { key: valueKey, value, inlineOf: key });
    });
  }
}

function addArguments(parser: Parser, entry: Entry, { line, masked }: Reading): void {
  line.entry = entry;
  for (const [key, { required, variadic }] of Object.entries(entry.command.arguments)) {
    const name = `${key}${variadic ? '...' : ''}`;
    parser.addArgument(new Argument(required ? `<${name}>` : `[${name}]`));
  }
  parser.allowExcessArguments(entry.command.passThrough !== undefined).action(() => {
    line.words = parser.args.map((arg) => masked.unmask(arg));
  });
}

function usageErrorOf(error: unknown, reading: Reading): Error | undefined {
  // Commander passes all arguments in one function call, which fails for over 100,000 arguments.
  if (error instanceof RangeError) return usage.tooManyArguments();
  if (!(error instanceof CommanderError)) throw error;
  const { line, parser, nodes, masked } = reading;
  const { entry, path } = line;
  const quoted = masked.unmask(/'(.*)'/s.exec(error.message)?.[1] ?? '');
  const words = parser.args.map((arg) => masked.unmask(arg));
  const [word = ''] = words;
  const siblings = [...(nodes.get(parser)?.words.keys() ?? [])];
  switch (error.code) {
    case 'commander.unknownOption':
      // If the command is also unknown, the message about the command is more helpful.
      if (entry === undefined && words.length > 0 && word !== quoted)
        return usage.unknownCommand(word, path, siblings);
      return usage.unknownFlag(quoted, optionsOf(entry?.command));
    case 'commander.optionMissingArgument':
      return usage.missingValue(quoted);
    case 'commander.missingArgument':
      return usage.missingArgument(quoted, entry?.command);
    case 'commander.excessArguments':
      // `builds help` means `builds --help`.
      if (entry === undefined && words.length === 1 && word === 'help') {
        line.flags.push({ key: 'help', value: undefined });
        return undefined;
      }
      if (entry === undefined) return usage.unknownCommand(word, path, siblings);
      return usage.excessArgument(words, entry.command);
    default:
      return undefined;
  }
}

/** A switch with a value after `=`, such as `--json=a,b`, which Commander does not support. */
interface InlineValue {
  readonly placeholder: string;
  readonly key: string;
  readonly valueKey: string;
  readonly value: string;
}

interface Masked {
  readonly args: readonly string[];
  readonly inline: readonly InlineValue[];
  /** Returns the argument for a placeholder. Returns any other text unchanged. */
  unmask(text: string): string;
}

/**
 * Replaces arguments that Commander would misread with placeholders. `isWord` returns true for
 * arguments that only look like flags.
 */
function mask(args: readonly string[], isWord: (arg: string) => boolean): Masked {
  const inline: InlineValue[] = [];
  const originals = new Map<string, string>();
  const masked = args.map((arg, index) => {
    if (!arg.startsWith('-')) return arg;
    const value = isWord(arg) ? undefined : inlineValue(arg, index);
    if (value !== undefined) inline.push(value);
    const placeholder = value?.placeholder ?? (isWord(arg) ? `\0${index}` : withoutRepeats(arg));
    if (placeholder !== arg) originals.set(placeholder, arg);
    return placeholder;
  });
  return { args: masked, inline, unmask: (text) => originals.get(text) ?? text };
}

function inlineValue(arg: string, index: number): InlineValue | undefined {
  const [, name, value] = /^--([^=\s]+)=(.*)$/s.exec(arg) ?? [];
  const found = inlineSwitches.find(([key]) => flagName(key) === name);
  if (found === undefined || value === undefined) return undefined;
  const [key, valueKey] = found;
  return { placeholder: `--${flagName(key)}-${index}`, key, valueKey, value };
}

/** Includes the switches of all commands, because the command is not known yet. */
const inlineSwitches = Object.entries<Option>({ ...globalOptions, ...webFlags }).flatMap(
  ([key, option]) =>
    option.value === undefined && option.inline !== undefined
      ? [[key, option.inline] as const]
      : [],
);

/** Repeated switches have no effect, and Commander is slow on long bundles. */
const withoutRepeats = (arg: string): string =>
  arg.length > 64 && switches.test(arg) ? `-${[...new Set(arg.slice(1))].join('')}` : arg;

const letters = Object.values(globalOptions).flatMap((option) =>
  'short' in option && !('value' in option) ? [option.short] : [],
);
const switches = new RegExp(`^-[${letters.join('')}]+$`);

/**
 * Rejects `--env-file`, which Node handles wherever it appears before `--`: Node has already read
 * the file and applied its `NODE_OPTIONS`.
 */
function nodeFlagError(args: readonly string[]): Error | undefined {
  const end = args.indexOf('--');
  const own = end < 0 ? args : args.slice(0, end);
  const flag = own.map((arg) => /^--env-file(?:-if-exists)?(?==|$)/.exec(arg)?.[0]).find(Boolean);
  if (flag === undefined) return undefined;
  return usageError(`Node reads ${flag} before cictl starts; use --env-from FILE instead`);
}
