/** The command line that was meant by one that is refused. */
import { CictlError, usageError } from '../errors.ts';
import { fieldsBehindJson, toInvocation } from './parse.ts';
import { readCommandLine, optionsOf } from './program.ts';
import {
  meantArguments,
  meantWords,
  otherWords,
  type Rewritten,
  flagPlaces,
  optionOf,
} from './meant-words.ts';
import { flagName, type Command } from '../command/command.ts';
import { suggest } from '../common/suggest.ts';
import { asArgument, flagHabits } from './habits.ts';

/** One slip a round: nobody makes more of them in one line. */
const rounds = 6;

/**
 * The error of a command line with the whole line that was meant as its hint, where one is known;
 * else the error as it is.
 */
export function withMeant(error: unknown, args: readonly string[]): unknown {
  if (!(error instanceof CictlError) || error.kind !== 'usage' || args.length > 200) return error;
  const meant = meantLine(args);
  if (meant === undefined) return error;
  const why = meant.why === undefined ? '' : `: ${meant.why}`;
  const message = error.message.replace(verbList, '');
  return usageError(`${message}${why}`, ['cictl', ...meant.args.map(shellWord)].join(' '));
}

/** The same for the words of `cictl help`. */
export function withMeantHelp(error: unknown, topic: readonly string[]): unknown {
  const meant = meantLine(topic);
  const { entry } = readCommandLine(meant?.args ?? []);
  if (!(error instanceof CictlError) || entry === undefined) return error;
  return usageError(error.message, `cictl help ${entry.command.name}`);
}

/** The line that was meant says more. */
const verbList = /; [\w -]+ has [a-z, -]+$/;

/** Undefined where nothing is known of it. Exported for its tests. */
export function meantLine(args: readonly string[]): Rewritten | undefined {
  let line: Rewritten = { args };
  for (let round = 0; round < rounds; round++) {
    const next = rewritten(line.args);
    if (next === undefined) break;
    line = { ...line, ...next };
  }
  if (line.args === args) return undefined;
  return isRight(line.args) ? line : helpOf(line);
}

function rewritten(args: readonly string[]): Rewritten | undefined {
  const line = readCommandLine(args);
  if (line.nodeFlag !== undefined) return undefined;
  const fields = fieldsBehindJson(line);
  if (fields !== undefined) return { args: joined(args, fields) };
  const plain = withPlainDashes(args);
  if (plain !== undefined) return plain;
  if (line.entry === undefined) return turned(args) ?? meantWords(args);
  if (line.error === undefined) return undefined;
  return otherWords(args) ?? meantFlag(args, line.entry.command) ?? meantArguments(args, line);
}

/** Word processors make a long dash of two: `—state`. */
function withPlainDashes(args: readonly string[]): Rewritten | undefined {
  const long = /^[\u2013\u2014]+(?=[a-z])/i;
  if (!args.some((arg) => long.test(arg))) return undefined;
  return { args: args.map((arg) => arg.replace(long, /^.[a-z]$/i.test(arg) ? '-' : '--')) };
}

function joined(args: readonly string[], fields: string): string[] {
  const at = args.indexOf('--json');
  return [...args.slice(0, at), `--json=${fields}`, ...args.slice(at + 2)];
}

/** Flags of a command that stand before its words, or between them. */
function turned(args: readonly string[]): Rewritten | undefined {
  if (args.join() === '-v') return { args: ['--version'] };
  if (args[1]?.startsWith('-') === true && args[0]?.startsWith('-') === false)
    return behindWords(args, 1);
  if (args[0]?.startsWith('-') !== true) return undefined;
  return behindWords(args, 0);
}

/** What stands there goes to the end. */
function behindWords(args: readonly string[], from: number): Rewritten | undefined {
  for (let at = from + 1; at < Math.min(args.length, 12); at++) {
    const line = [...args.slice(0, from), ...args.slice(at), ...args.slice(from, at)];
    if (isRight(line)) return { args: line };
  }
  return undefined;
}

function isRight(args: readonly string[]): boolean {
  try {
    toInvocation(readCommandLine(args));
    return true;
  } catch {
    return false;
  }
}

/** What is left to be said, the help of the command says. */
function helpOf({ args, ...line }: Rewritten): Rewritten | undefined {
  const { entry } = readCommandLine(args);
  if (entry === undefined) return undefined;
  return { ...line, args: [...entry.command.name.split(' '), '--help'] };
}

/** The line with the command's own flag for the first that it does not know; else undefined. */
function meantFlag(args: readonly string[], command: Command): Rewritten | undefined {
  const options = optionsOf(command);
  for (const place of flagPlaces(args, options)) {
    const flag = split(args[place] ?? '');
    if (optionOf(flag.name, options) !== undefined) continue;
    const words = wordsFor(flag, command);
    if (words === undefined) continue;
    const why = flagHabits.find(({ typed }) => typed === flag.name)?.why;
    if (why !== undefined) return { args: withoutValue(args, place, words), why };
    return { args: [...args.slice(0, place), ...words, ...args.slice(place + 1)].flatMap(parted) };
  }
  return undefined;
}

/** A token belongs into no line. */
function withoutValue(args: readonly string[], place: number, words: readonly string[]): string[] {
  const isApart = args[place]?.includes('=') !== true && args[place + 1]?.startsWith('-') === false;
  return [...args.slice(0, place), ...words.slice(0, 1), ...args.slice(place + (isApart ? 2 : 1))];
}

/** A flag with the value that is joined to it: `--since=7d`, `-n5`. */
interface TypedFlag {
  readonly name: string;
  readonly value: string | undefined;
}

function split(arg: string): TypedFlag {
  const [, name = arg, value] = /^(--[^=]+)=(.*)$/s.exec(arg) ?? /^(-[^-])(.+)$/s.exec(arg) ?? [];
  return { name, value };
}

/** What stands in its place. */
function wordsFor({ name, value }: TypedFlag, command: Command): string[] | undefined {
  const options = optionsOf(command);
  const names = Object.keys(options).map((key) => `--${flagName(key)}`);
  const known = flagHabits.filter(({ typed }) => typed === name).flatMap(({ meant }) => meant);
  const meant = known.find((one) => isFor(one, command, names)) ?? misspelt(name, names);
  if (meant === undefined) return undefined;
  const joined = value === undefined ? [] : [value];
  if (meant === '' && name === '--token') return [];
  if (meant === '' || meant === asArgument) return joined;
  const words = meant.split(' ');
  return optionOf(words[0] ?? '', options)?.value === undefined ? words : [...words, ...joined];
}

function isFor(meant: string, { arguments: own }: Command, names: readonly string[]): boolean {
  if (meant === '') return true;
  if (meant === asArgument) return 'build' in own || 'job' in own;
  return names.includes(meant.split(' ')[0] ?? '');
}

const misspelt = (name: string, names: readonly string[]): string | undefined =>
  name.startsWith('--') ? suggest(name, names) : undefined;

/** `-R acme/web`: organization and pipeline are flags of their own. */
function parted(arg: string, place: number, all: readonly string[]): string[] {
  const slugs = /^([^/]+)\/([^/]+)$/.exec(arg);
  if (all[place - 1] !== '--pipeline' || slugs === null) return [arg];
  return [slugs[2] ?? '', '--org', slugs[1] ?? ''];
}

/** A word as a POSIX shell takes it: quoted only where it must be. */
const shellWord = (text: string): string =>
  /^[\w@%+=:,./-][\w@%+=:,./#-]*$/.test(text)
    ? text
    : `'${text.replaceAll("'", String.raw`'\''`)}'`;
