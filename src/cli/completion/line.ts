/** The command line before the cursor. */
import { type Command, type Options, flagName, type Option } from '../../command/command.ts';
import { globalOptions } from '../globals.ts';
import { childOf, commandTree, type Node } from '../tree.ts';

export interface Line {
  readonly node: Node;
  readonly command: Command | undefined;
  readonly options: Options;
  readonly flags: readonly Flag[];
  /** The arguments after the words that name the command. */
  readonly words: readonly string[];
  /** A flag at the end that still needs its value. */
  readonly open: Flag | undefined;
  /** Whether the cursor is after `--`. */
  readonly isBehind: boolean;
}

/** Reads the words before the cursor, without `cictl`. */
export function readLine(before: readonly string[]): Line {
  const node = nodeOf(before);
  const command = node.entry?.command;
  const options: Options = { ...command?.options, ...globalOptions, ...command?.options };
  const parts = splitWords(before, options);
  const flags = parts.filter((part) => part.kind === 'flag');
  const words = parts.flatMap((part) => (part.kind === 'word' ? [part.text] : []));
  const named = command?.name.split(' ').length ?? 0;
  return {
    node,
    command,
    options,
    flags,
    words: words.slice(named),
    open: openFlag(parts, options),
    isBehind: isBehind(before, options),
  };
}

export const valuesOf = ({ flags }: Line, key: string): string[] =>
  flags.flatMap((flag) => (flag.key === key && flag.value !== undefined ? [flag.value] : []));

function nodeOf(before: readonly string[]): Node {
  let node = commandTree();
  for (const part of splitWords(before, globalOptions)) {
    const next = part.kind === 'word' ? childOf(node, part.text) : undefined;
    if (next !== undefined) node = next;
    else if (part.kind === 'word' && node.entry !== undefined) break;
    if (node.words.size === 0) break;
  }
  return node;
}

function isBehind(before: readonly string[], options: Options): boolean {
  const part = splitWords([...before, 'word'], options).at(-1);
  return part?.kind === 'word' && part.behind;
}

function openFlag(parts: readonly Part[], options: Options): Flag | undefined {
  const last = parts.at(-1);
  if (last?.kind !== 'flag' || last.key === undefined || last.value !== undefined) return undefined;
  return options[last.key]?.value === undefined ? undefined : last;
}

interface Flag {
  readonly kind: 'flag';
  /** Undefined for an unknown flag. */
  readonly key: string | undefined;
  /** As typed: `--state`, `-s`. */
  readonly typed: string;
  readonly value: string | undefined;
}

interface Word {
  readonly kind: 'word';
  readonly text: string;
  readonly index: number;
  /** Whether it is after `--`. */
  readonly behind: boolean;
}

type Part = Flag | Word;

/**
 * Splits a command line into flags and words. The value of a flag may look like a flag (`-m -q`);
 * an argument that starts with `-` and contains whitespace is a word.
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

export interface FlagShape {
  readonly name: string;
  readonly short: string | undefined;
  readonly hasValue: boolean;
}

type Token =
  | {
      readonly kind: 'word';
      readonly text: string;
      readonly index: number;
      readonly behind: boolean;
    }
  | {
      readonly kind: 'flag';
      /** The long name, or the letter of an unknown flag. */
      readonly name: string;
      /** As typed: `--state`, `-s`. */
      readonly typed: string;
      readonly value: string | undefined;
    };

/**
 * Splits a command line in one pass (`parseArgs` of Node is quadratic). Short flags may be bundled
 * (`-qy`), and a value may follow as the next argument, after `=` or directly (`-L5`). `isWord`
 * takes precedence.
 */
export function tokens(
  args: readonly string[],
  flags: readonly FlagShape[],
  isWord: (arg: string) => boolean,
): Token[] {
  const names = new Map(flags.map((flag) => [flag.name, flag]));
  const letters = new Map(flags.map((flag) => [flag.short, flag]));
  const found: Token[] = [];
  let behind = false;
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? '';
    const isFlag = !behind && arg.length > 1 && arg.startsWith('-') && !isWord(arg);
    if (!isFlag) found.push({ kind: 'word', text: arg, index, behind });
    else if (arg === '--') behind = true;
    else {
      const split = arg.startsWith('--') ? [longFlag(arg, names)] : bundle(arg, letters);
      const last = split.at(-1);
      const wantsNext = last?.flag?.hasValue === true && last.value === undefined;
      if (wantsNext && index + 1 < args.length) last.value = args[++index];
      for (const { flag, name, typed, value } of split)
        found.push({ kind: 'flag', name: flag?.name ?? name, typed, value });
    }
  }
  return found;
}

interface Split {
  readonly flag: FlagShape | undefined;
  readonly name: string;
  readonly typed: string;
  value: string | undefined;
}

function longFlag(arg: string, names: ReadonlyMap<string, FlagShape>): Split {
  const equals = arg.indexOf('=', 3);
  const typed = equals < 0 ? arg : arg.slice(0, equals);
  const name = typed.slice(2);
  const value = equals < 0 ? undefined : arg.slice(equals + 1);
  return { flag: names.get(name), name, typed, value };
}

/** The rest after a flag that takes a value is its value. */
function bundle(arg: string, letters: ReadonlyMap<string | undefined, FlagShape>): Split[] {
  const split: Split[] = [];
  for (let at = 1; at < arg.length; at++) {
    const name = arg.charAt(at);
    const flag = letters.get(name);
    const rest = flag?.hasValue === true && at + 1 < arg.length ? arg.slice(at + 1) : undefined;
    split.push({ flag, name, typed: `-${name}`, value: rest });
    if (rest !== undefined) break;
  }
  return split;
}
