/** Splits a command line into flags and words, by one table of options. */
import { flagName, type Option, type Options } from '../command/command.ts';
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
