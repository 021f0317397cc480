/** Splits a command line into flags and words, by one table of options. */
import { usageError } from '../errors.ts';
import { parseDuration } from '../refs/duration.ts';
import { flagName, type Option, type Options, type Valued } from './command.ts';
import { didYouMean } from '../suggest.ts';
import { tokens, type FlagShape } from './tokens.ts';

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
  const flags = [...keys].map(([name, key]) => shapeOf(name, options[key]));
  return tokens(args, flags, (arg) => isPlainText(arg, keys)).map((token) => {
    if (token.kind === 'word') return token;
    const { name, typed, value } = token;
    return { kind: 'flag', key: keys.get(name), typed, value };
  });
}

const shapeOf = (name: string, option: Option | undefined): FlagShape => ({
  name,
  short: option?.short,
  hasValue: option?.value !== undefined,
});

function isPlainText(arg: string, keys: ReadonlyMap<string, string>): boolean {
  if (!arg.startsWith('-') || !/\s/.test(arg)) return false;
  const name = /^--([^=\s]+)=/.exec(arg)?.[1];
  return name === undefined || !keys.has(name);
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
    if (option.value === undefined && option.inline !== undefined && flag.value !== undefined) {
      addInline(flag, option.inline, flags, values);
    }
    const value = flagValue(flag, option);
    const list = values[flag.key];
    if (Array.isArray(list)) list.push(value);
    else values[flag.key] = value;
  }
  return values;
}

function addInline(
  { typed, value }: Flag,
  key: string,
  flags: readonly Flag[],
  values: Record<string, unknown>,
): void {
  const other = flags.find((flag) => flag.key === key);
  if (other !== undefined) throw usageError(`${typed}=… and ${other.typed} exclude each other`);
  values[key] = value;
}

function unknownFlag(typed: string, options: Options): Error {
  const names = Object.keys(options).map((key) => `--${flagName(key)}`);
  return usageError(`unknown flag ${typed}${didYouMean(typed, names)}`);
}

function flagValue({ typed, value }: Flag, option: Option): unknown {
  if (option.value === undefined) {
    if (value !== undefined && option.inline === undefined) {
      throw usageError(`${typed} takes no value`);
    }
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
