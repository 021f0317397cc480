import { usageError } from '../errors.ts';
import { didYouMean, suggest } from '../common/suggest.ts';
import { flagName, type Command, type Options } from '../command/command.ts';

export function unknownCommand(
  word: string,
  path: readonly string[],
  known: readonly string[],
): Error {
  const meant = suggest(word, known);
  const message = `unknown command "${[...path, word].join(' ')}"`;
  if (meant !== undefined) return usageError(message, `cictl ${[...path, meant].join(' ')}`);
  const there = path.length === 0 ? '' : `; ${path.join(' ')} subcommands: ${known.join(', ')}`;
  return usageError(`${message}${there}`, 'cictl help');
}

export const incompleteCommand = (path: readonly string[]): Error =>
  usageError(`"${path.join(' ')}" needs a subcommand`, `cictl ${path.join(' ')} --help`);

/** The error for an unknown flag, or for a switch with a value: `--all=yes`. */
export function unknownFlag(typed: string, options: Options): Error {
  const [name = ''] = typed.split('=');
  const names = Object.keys(options).map((key) => `--${flagName(key)}`);
  if (names.includes(name)) return usageError(`${name} does not take a value`);
  return usageError(`unknown flag ${name}${didYouMean(name, names)}`);
}

/** `flags` is a flag with its placeholder: `-o, --output <FORMAT>`. */
export function missingValue(flags: string): Error {
  const [, flag = '', value = ''] = /(--\S+) <(.*)>$/.exec(flags) ?? [];
  return usageError(`${flag} requires a value: ${flag} ${value}`);
}

export function missingArgument(key: string, command: Command | undefined): Error {
  const summary = command?.arguments[key]?.summary ?? '';
  const message = `${command?.name ?? 'it'} requires ${key.toUpperCase()}: ${summary}`;
  return usageError(message, helpOf(command));
}

export function excessArgument(words: readonly string[], command: Command | undefined): Error {
  const extra = words[Object.keys(command?.arguments ?? {}).length] ?? '';
  const message = `${command?.name ?? 'it'} does not take the argument "${extra}"`;
  return usageError(message, helpOf(command));
}

export const tooManyArguments = (): Error =>
  usageError('the command line has too many arguments', 'xargs -n 1000');

const helpOf = (command: Command | undefined): string => `cictl ${command?.name ?? ''} --help`;
