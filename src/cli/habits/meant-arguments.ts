import type { Command } from '../../command/command.ts';
import { optionsOf, type CommandLine } from '../program.ts';
import type { Rewritten } from './meant-words.ts';
import { wordPlaces } from './places.ts';
import { shapeOf } from './shape.ts';

/** The line with one argument fewer: `view web 1` is `view web/1`, `log 12 unit` is `log 12#unit`. */
export function meantArguments(
  args: readonly string[],
  { entry, behind, path }: CommandLine,
): Rewritten | undefined {
  if (entry === undefined || behind > 0) return undefined;
  const { command } = entry;
  const places = wordPlaces(args, optionsOf(command)).slice(path.length);
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

/** `builds create web`. */
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
