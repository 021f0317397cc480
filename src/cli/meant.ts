import { CictlError, usageError } from '../errors.ts';
import { fieldsBehindJson, toInvocation } from './parse.ts';
import { readCommandLine, optionsOf, type CommandLine } from './program.ts';
import { flagName, type Command, type Option, type Options } from '../command/command.ts';
import { suggest } from '../common/suggest.ts';
import { asArgument, flagHabits, habits, programs, verbs, type Habit } from './habits.ts';
import { globalOptions } from './globals.ts';
import { childOf, commandTree, type Node } from './tree.ts';

/** Maximum number of corrections; each round corrects one mistake. */
const rounds = 6;

/** Adds the corrected command line to an error as its hint, if one can be guessed. */
export function withMeant(error: unknown, args: readonly string[]): unknown {
  if (!(error instanceof CictlError) || error.kind !== 'usage' || args.length > 200) return error;
  const meant = meantLine(args);
  if (meant === undefined) return error;
  const why = meant.why === undefined ? '' : `: ${meant.why}`;
  const message = error.message.replace(verbList, '');
  return usageError(`${message}${why}`, ['cictl', ...meant.args.map(shellWord)].join(' '));
}

export function withMeantHelp(error: unknown, topic: readonly string[]): unknown {
  const meant = meantLine(topic);
  const { entry } = readCommandLine(meant?.args ?? []);
  if (!(error instanceof CictlError) || entry === undefined) return error;
  return usageError(error.message, `cictl help ${entry.command.name}`);
}

/** Matches the list of verbs in a message. The list is dropped if a correction is suggested. */
const verbList = /; [\w -]+ subcommands: [a-z, -]+$/;

/** Exported for its tests. */
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
  if (fields !== undefined) {
    const at = args.indexOf('--json');
    return { args: [...args.slice(0, at), `--json=${fields}`, ...args.slice(at + 2)] };
  }
  const plain = withPlainDashes(args);
  if (plain !== undefined) return plain;
  if (line.entry === undefined) return turned(args) ?? meantWords(args);
  if (line.error === undefined) return undefined;
  return otherWords(args) ?? meantFlag(args, line.entry.command) ?? meantArguments(args, line);
}

/** Word processors turn two hyphens into a dash: `—state`. */
function withPlainDashes(args: readonly string[]): Rewritten | undefined {
  const long = /^[\u2013\u2014]+(?=[a-z])/i;
  if (!args.some((arg) => long.test(arg))) return undefined;
  return { args: args.map((arg) => arg.replace(long, /^.[a-z]$/i.test(arg) ? '-' : '--')) };
}

/** Moves flags that come before or between a command's words to the end. */
function turned(args: readonly string[]): Rewritten | undefined {
  if (args.join() === '-v') return { args: ['--version'] };
  const from = args.slice(0, 2).findIndex((arg) => arg.startsWith('-'));
  if (from === -1) return undefined;
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

function helpOf({ args, ...line }: Rewritten): Rewritten | undefined {
  const { entry } = readCommandLine(args);
  if (entry === undefined) return undefined;
  return { ...line, args: [...entry.command.name.split(' '), '--help'] };
}

/** Corrects the first unknown flag. */
function meantFlag(args: readonly string[], command: Command): Rewritten | undefined {
  const options = optionsOf(command);
  for (const place of placesIn(args, options).flags) {
    const arg = args[place] ?? '';
    // A value may be attached to its flag: `--since=7d`, `-n5`.
    const [, name = arg, value] = /^(--[^=]+)=(.*)$/s.exec(arg) ?? /^(-[^-])(.+)$/s.exec(arg) ?? [];
    if (optionOf(name, options) !== undefined) continue;
    const words = wordsFor(name, value, command);
    if (words === undefined) continue;
    const why = flagHabits.find(({ typed }) => typed === name)?.why;
    if (why !== undefined) return { args: withoutValue(args, place, words), why };
    return { args: [...args.slice(0, place), ...words, ...args.slice(place + 1)].flatMap(parted) };
  }
  return undefined;
}

/** Never repeat a token in a suggested command line. */
function withoutValue(args: readonly string[], place: number, words: readonly string[]): string[] {
  const isApart = args[place]?.includes('=') !== true && args[place + 1]?.startsWith('-') === false;
  return [...args.slice(0, place), ...words.slice(0, 1), ...args.slice(place + (isApart ? 2 : 1))];
}

function wordsFor(name: string, value: string | undefined, command: Command): string[] | undefined {
  const options = optionsOf(command);
  const names = Object.keys(options).map((key) => `--${flagName(key)}`);
  const known = flagHabits.filter(({ typed }) => typed === name).flatMap(({ meant }) => meant);
  const meant =
    known.find((one) => isFor(one, command, names)) ??
    (name.startsWith('--') ? suggest(name, names) : undefined);
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

/** Splits `-R acme/web`, because organization and pipeline have separate flags. */
function parted(arg: string, place: number, all: readonly string[]): string[] {
  const slugs = /^([^/]+)\/([^/]+)$/.exec(arg);
  if (all[place - 1] !== '--pipeline' || slugs === null) return [arg];
  return [slugs[2] ?? '', '--org', slugs[1] ?? ''];
}

/** Quotes a word for a POSIX shell if necessary. */
const shellWord = (text: string): string =>
  /^[\w@%+=:,./-][\w@%+=:,./#-]*$/.test(text)
    ? text
    : `'${text.replaceAll("'", String.raw`'\''`)}'`;

interface Rewritten {
  readonly args: readonly string[];
  readonly why?: string;
}

interface Words {
  readonly args: readonly string[];
  readonly places: readonly number[];
  /** The words at the start of the command line, with nouns in their usual form. */
  readonly words: readonly string[];
  /** The noun that the first word stands for. */
  readonly noun?: { readonly name: string; readonly node: Node };
}

/** Corrects words that do not form a command. */
function meantWords(args: readonly string[]): Rewritten | undefined {
  const line = wordsOf(args);
  if (line.words.length === 0) return undefined;
  return (
    program(line) ??
    swapped(line) ??
    habitual(line) ??
    synonym(line) ??
    reference(line) ??
    misspelledWord(line) ??
    named(line)
  );
}

/** Corrects arguments that are really part of another command: `run view 12`. */
function otherWords(args: readonly string[]): Rewritten | undefined {
  const line = wordsOf(args);
  const typed = line.words.slice(0, 2).join(' ');
  const habit = habitOf(typed, args);
  return habit === undefined ? undefined : replaceHabit(line, 2, habit);
}

const habitOf = (words: string, args: readonly string[]): Habit | undefined =>
  habits.find(({ typed, flag }) => typed === words && (flag === undefined || args.includes(flag)));

/** Drops the name of another tool, or our own if it was typed twice: `gh run list`. */
function program({
  args,
  places: [place],
  words: [first = '', second],
}: Words): Rewritten | undefined {
  if (second === undefined || !programs.includes(first)) return undefined;
  const rest = args.filter((_, at) => at !== place);
  return otherWords(rest) ?? { args: rest };
}

function wordsOf(args: readonly string[]): Words {
  const { words: places } = placesIn(args, globalOptions);
  const [first = '', ...rest] = places.map((place) => args[place] ?? '');
  const noun = places.length === 0 ? undefined : nounOf(first);
  return { args, places, words: [noun?.name ?? first, ...rest], ...(noun && { noun }) };
}

function nounOf(word: string): Words['noun'] {
  const root = commandTree();
  const node = childOf(root, word);
  const [name] = [...root.words].find(([, child]) => child === node) ?? [];
  return node === undefined || name === undefined ? undefined : { name, node };
}

/** Applies the matching habit with the most words. */
function habitual(line: Words): Rewritten | undefined {
  for (const count of [3, 2, 1]) {
    const typed = line.words.slice(0, count);
    const habit =
      typed.length === count ? habitOf(typed.join(' ').toLowerCase(), line.args) : undefined;
    if (habit !== undefined) return replaceHabit(line, count, habit);
  }
  return undefined;
}

function replaceHabit({ args, places, words }: Words, count: number, habit: Habit): Rewritten {
  const why = habit.why === undefined ? {} : { why: habit.why };
  const argument = words[count];
  const shape = argument === undefined ? 'other' : shapeOf(argument);
  const isGiven = args.includes('--build');
  const meant =
    (shape === 'build' && !isGiven && habit.ofBuild) ||
    (shape === 'job' && habit.ofJob) ||
    (words.length === count + 1 && habit.ofOther);
  const replaced = meant || habit.meant;
  const line = replace(args, places.slice(0, count), replaced.split(' ')).filter(
    (arg, at, all) => arg !== habit.flag || (replaced.includes(arg) && all.indexOf(arg) === at),
  );
  const given = replaced.startsWith('builds ') ? asBuild(argument, habit, line) : argument;
  return { args: line.flatMap((arg) => (arg === argument ? (given ?? []) : [arg])), ...why };
}

function asBuild(
  argument: string | undefined,
  { typed }: Habit,
  args: readonly string[],
): string | undefined {
  if (argument === undefined) return undefined;
  const isOfJob = typed.startsWith('job ') || args.includes('--build');
  return isOfJob && shapeOf(argument) === 'other' ? undefined : buildOf(argument);
}

/** Replaces a synonym of a verb: `builds show 12`. */
function synonym({ args, places, words: [, verb = ''], noun }: Words): Rewritten | undefined {
  const meant = ownVerb(verb, noun);
  return meant === undefined ? undefined : { args: replace(args, places.slice(1, 2), [meant]) };
}

const ownVerb = (verb: string, noun: Words['noun']): string | undefined =>
  [verb, ...(Object.hasOwn(verbs, verb) ? (verbs[verb] ?? []) : [])].find((one) =>
    noun?.node.words.has(one),
  );

/** Adds a missing verb or noun: `build 12`, `jobs 12`, `12`, `12#unit`. */
function reference({ args, places, words, noun }: Words): Rewritten | undefined {
  const shape = shapeOf(words[noun === undefined ? 0 : 1] ?? '');
  if (shape === 'other') return undefined;
  const meant = noun === undefined ? { build: 'builds', job: 'job' }[shape] : noun.name;
  const verb = shape === 'build' && meant !== 'builds' ? 'list' : 'view';
  if (nounOf(meant)?.node.words.has(verb) !== true) return undefined;
  return { args: replace(args, noun ? places.slice(0, 1) : [], [meant, verb]) };
}

/** Adds a missing verb before a name: `orgs acme` becomes `orgs view acme`. */
function named({ args, places, words: [, word], noun }: Words): Rewritten | undefined {
  if (word === undefined || noun === undefined || !['orgs', 'rules'].includes(noun.name))
    return undefined;
  return { args: replace(args, places.slice(0, 1), [noun.name, 'view']) };
}

/** Swaps verb and noun: `list builds`. */
function swapped({ args, places, words, ...line }: Words): Rewritten | undefined {
  const [verb = '', word = ''] = words;
  const noun = line.noun === undefined ? nounOf(word) : undefined;
  const known = isAllOf(words) && noun?.node.words.has('list') ? 'list' : ownVerb(verb, noun);
  if (noun === undefined || known === undefined) return undefined;
  return { args: replace(args, places.slice(0, 2), [noun.name, known]) };
}

/** Matches `get builds` and `get jobs 12`, but not `get job` or `get builds 12`. */
const isAllOf = ([verb, word = '', name]: readonly string[]): boolean =>
  verb === 'get' &&
  word.endsWith('s') &&
  (name === undefined || (word === 'jobs' && shapeOf(name) === 'build'));

function misspelledWord({
  args,
  places,
  words: [first = '', second],
  noun,
}: Words): Rewritten | undefined {
  const [at, word, node] = noun ? [1, second, noun.node] : [0, first, commandTree()];
  const known = noun ? [...node.words.keys()] : [...node.words.keys(), ...oneWords];
  // Words of one or two letters are similar to almost any word.
  const meant = word === undefined || word.length < 3 ? undefined : suggest(word, known);
  return meant === undefined
    ? undefined
    : { args: replace(args, places.slice(at, at + 1), [meant]) };
}

/** One-word habits, which are also candidates for spelling correction. */
const oneWords = habits.map(({ typed }) => typed).filter((typed) => !typed.includes(' '));

function replace(
  args: readonly string[],
  places: readonly number[],
  words: readonly string[],
): string[] {
  const [first] = places;
  if (first === undefined) return [...words, ...args];
  return args.flatMap((arg, place) =>
    place === first ? words : places.includes(place) ? [] : [arg],
  );
}

/** Joins arguments: `view web 1` becomes `view web/1`, `log 12 unit` becomes `log 12#unit`. */
function meantArguments(
  args: readonly string[],
  { entry, behind, path }: CommandLine,
): Rewritten | undefined {
  if (entry === undefined || behind > 0) return undefined;
  const { command } = entry;
  const places = placesIn(args, optionsOf(command)).words.slice(path.length);
  const words = places.map((place) => args[place] ?? '');
  const takes = Object.keys(command.arguments);
  const isFull = Object.values(command.arguments).every(({ variadic }) => variadic !== true);
  if (!isFull || words.length <= takes.length || words.length > 3) return undefined;
  const meant = takes[0] === undefined ? ofNone(command, words) : ofSome(takes[0], command, words);
  if (meant === undefined) return undefined;
  return {
    args: args.flatMap((arg, at) => (at === places[0] ? meant : places.includes(at) ? [] : [arg])),
  };
}

/** Turns the pipeline in `builds create web` into a flag. */
function ofNone({ name }: Command, words: readonly string[]): readonly string[] | undefined {
  const isPipeline = name === 'builds create' && words.length === 1 && isSlug(words[0] ?? '');
  return isPipeline ? ['--pipeline', ...words] : undefined;
}

function ofSome(
  takes: string,
  { options }: Command,
  words: readonly string[],
): readonly string[] | undefined {
  const joined = words.join('/');
  const [first = '', last = '', ...more] = words;
  const isBuild = shapeOf(first) === 'build';
  if (takes === 'build') return !isBuild && shapeOf(joined) === 'build' ? [joined] : undefined;
  if (takes === 'target') return words.length === 2 && words.every(isSlug) ? [joined] : undefined;
  if (more.length > 0) return undefined;
  if (takes === 'job' && isBuild) return [`${first}#${last}`];
  const namesBuild = shapeOf(last) === 'build' && Object.hasOwn(options, 'build');
  return namesBuild ? [first, '--build', last] : undefined;
}

const isSlug = (word: string): boolean => /^[a-z][\w.-]*$/i.test(word);

type Shape = 'build' | 'job' | 'other';

function shapeOf(text: string): Shape {
  if (/^https?:\/\//i.test(text)) {
    if (!/\/builds\/\d+/.test(text)) return 'other';
    return /#.|[?&]jid=.|\/jobs\/./.test(text) ? 'job' : 'build';
  }
  const [build = '', job] = text.split(/#(.*)/s);
  if (!/^(?:[^/\s]+\/){0,2}(?:\d+|latest)$/.test(build)) return 'other';
  return job ? 'job' : 'build';
}

/** Returns `web/141` for `web/141#unit`. */
const buildOf = (text: string): string =>
  /^https?:/i.test(text) ? text : (text.split('#')[0] ?? '');

/** Returns the indexes of the words and of the flags. `options` tells which flags have a value. */
function placesIn(args: readonly string[], options: Options) {
  const [words, flags]: [number[], number[]] = [[], []];
  const dashes = args.indexOf('--');
  const end = dashes === -1 ? args.length : dashes;
  for (let at = 0; at < end; at++) {
    const arg = args[at] ?? '';
    (isFlag(arg) ? flags : words).push(at);
    if (isFlag(arg) && optionOf(arg, options)?.value !== undefined) at++;
  }
  return { words, flags };
}

const isFlag = (arg: string): boolean => arg.startsWith('-') && arg.length > 1 && !/\s/.test(arg);

/** Returns undefined if the value is attached to the flag. */
function optionOf(arg: string, options: Options): Option | undefined {
  const found = Object.entries(options).find(
    ([key, { short }]) => arg === `--${flagName(key)}` || (short && arg === `-${short}`),
  );
  return found?.[1];
}
