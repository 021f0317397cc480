/** Splits a command line into flags and words, by one table of options. */
import { parseArgs } from 'node:util';
import { usageError } from '../errors.ts';
import { parseDuration } from '../refs/duration.ts';
import { flagName, type Option, type Options, type Valued } from './command.ts';
import { didYouMean } from '../suggest.ts';

/** One flag as it stood on the command line. */
export interface Flag {
  readonly kind: 'flag';
  /** The key in the table, undefined for a flag that is not in it. */
  readonly key: string | undefined;
  /** As typed, for messages: `--state`, `-s`. */
  readonly typed: string;
  readonly value: string | undefined;
}

/** A positional argument; `index` is its place in the command line. */
export interface Word {
  readonly kind: 'word';
  readonly text: string;
  readonly index: number;
  /** Whether it stood behind `--`. */
  readonly behind: boolean;
}

export type Part = Flag | Word;

/**
 * The parts of a command line in order. The value of a flag may look like a flag (`-m -q`); an
 * argument that begins with `-` and holds white space is a word.
 */
export function splitWords(args: readonly string[], options: Options): Part[] {
  const keys = new Map(Object.keys(options).map((key) => [flagName(key), key]));
  const { tokens } = parseArgs({
    args: args.map((arg, index) => (isPlainText(arg, keys) ? placeholder(index) : arg)),
    options: Object.fromEntries([...keys].map(([name, key]) => [name, parseOption(options[key])])),
    strict: false,
    tokens: true,
  });
  const restored = (text: string) => args[placeholderIndex(text)] ?? text;
  let behind = false;
  return tokens.flatMap((token): Part[] => {
    if (token.kind === 'option-terminator') behind = true;
    if (token.kind === 'positional')
      return [{ kind: 'word', text: restored(token.value), index: token.index, behind }];
    if (token.kind !== 'option') return [];
    const value = token.value === undefined ? undefined : restored(token.value);
    return [{ kind: 'flag', key: keys.get(token.name), typed: token.rawName, value }];
  });
}

// The parser takes `- item` for a bundle of short flags, so such arguments go through it masked.
const placeholder = (index: number): string => `\0${index}`;
const placeholderIndex = (text: string): number =>
  text.startsWith('\0') ? Number(text.slice(1)) : -1;

function isPlainText(arg: string, keys: ReadonlyMap<string, string>): boolean {
  if (!arg.startsWith('-') || !/\s/.test(arg)) return false;
  const name = /^--([^=\s]+)=/.exec(arg)?.[1];
  return name === undefined || !keys.has(name);
}

function parseOption(option: Option | undefined): { type: 'string' | 'boolean'; short?: string } {
  const type = option?.value === undefined ? 'boolean' : 'string';
  return option?.short === undefined ? { type } : { type, short: option.short };
}

/** The values of all options by key: arrays for repeatable ones, false for absent switches. */
export function optionValues(flags: readonly Flag[], options: Options): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [key, option] of Object.entries(options)) {
    if (option.value === undefined) values[key] = false;
    else if (option.repeat) values[key] = [];
  }
  for (const flag of flags) {
    const option = flag.key === undefined ? undefined : options[flag.key];
    if (flag.key === undefined || option === undefined) throw unknownFlag(flag.typed, options);
    const value = flagValue(flag, option);
    const list = values[flag.key];
    if (Array.isArray(list)) list.push(value);
    else values[flag.key] = value;
  }
  return values;
}

function unknownFlag(typed: string, options: Options): Error {
  const names = Object.keys(options).map((key) => `--${flagName(key)}`);
  return usageError(`unknown flag ${typed}${didYouMean(typed, names)}`);
}

function flagValue({ typed, value }: Flag, option: Option): unknown {
  if (option.value === undefined) {
    if (value !== undefined) throw usageError(`${typed} takes no value`);
    return true;
  }
  if (value === undefined) throw usageError(`${typed} needs a value: ${typed} ${option.value}`);
  return convert(typed, value, option);
}

function convert(typed: string, value: string, { type, choices }: Valued): string | number {
  if (choices !== undefined && !choices.includes(value)) {
    const meant = didYouMean(value, choices);
    throw usageError(`${typed} takes ${choices.join(', ')}, not "${value}"${meant}`);
  }
  if (type === 'duration') return parseDuration(value, typed);
  if (type !== 'integer') return value;
  if (!/^[+-]?\d{1,15}$/.test(value))
    throw usageError(`${typed} takes a whole number, not "${value}"`);
  return Number(value);
}
