import { flagName, type Command } from '../../command/command.ts';
import { suggest } from '../../common/suggest.ts';
import { optionsOf } from '../program.ts';
import { asArgument, flagHabits } from './flags.ts';
import type { Rewritten } from './meant-words.ts';
import { flagPlaces, optionOf } from './places.ts';

/** The line with the command's own flag for the first that it does not know; else undefined. */
export function meantFlag(args: readonly string[], command: Command): Rewritten | undefined {
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
