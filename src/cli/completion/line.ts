/** The command line before the cursor. */
import { type Command, type Options, flagName } from '../../command/command.ts';
import { globalOptions } from '../globals.ts';
import { childOf, commandTree, type Node } from '../tree.ts';

export interface Line {
  readonly node: Node;
  readonly command: Command | undefined;
  readonly options: Options;
  readonly flags: readonly Flag[];
  /** The arguments after the name of the command. */
  readonly words: readonly string[];
  /** A flag at the end that still needs its value. */
  readonly open: Flag | undefined;
  /** Whether the cursor is after `--`. */
  readonly isBehind: boolean;
}

/** Parses the words before the cursor, without the word `cictl`. */
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
  readonly key: string | undefined;
  value: string | undefined;
}

interface Word {
  readonly kind: 'word';
  readonly text: string;
  readonly behind: boolean;
}

type Part = Flag | Word;

/**
 * Splits a command line in one pass (Node's `parseArgs` takes quadratic time). Short flags may be
 * bundled (`-qy`). A flag's value may be the next argument, or follow after `=` or directly
 * (`-L5`), and may look like a flag (`-m -q`). Other arguments that start with `-` and contain
 * whitespace are not flags.
 */
export function splitWords(args: readonly string[], options: Options): Part[] {
  const names = new Map(Object.keys(options).map((key) => [`--${flagName(key)}`, key]));
  const letters = new Map(Object.entries(options).map(([key, { short }]) => [short, key]));
  const takesValue = (key: string | undefined): boolean =>
    key !== undefined && options[key]?.value !== undefined;
  const isWord = (arg: string): boolean =>
    arg.length < 2 ||
    !arg.startsWith('-') ||
    (/\s/.test(arg) && !names.has(/^(--[^=\s]+)=/.exec(arg)?.[1] ?? ''));

  /** If a short flag takes a value, the rest of the argument is that value. */
  function bundle(arg: string): Flag[] {
    const flags: Flag[] = [];
    for (let at = 1; at < arg.length; at++) {
      const key = letters.get(arg.charAt(at));
      const value = takesValue(key) && at + 1 < arg.length ? arg.slice(at + 1) : undefined;
      flags.push({ kind: 'flag', key, value });
      if (value !== undefined) break;
    }
    return flags;
  }

  const parts: Part[] = [];
  let behind = false;
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? '';
    if (behind || isWord(arg)) parts.push({ kind: 'word', text: arg, behind });
    else if (arg === '--') behind = true;
    else {
      const flags = arg.startsWith('--') ? [longFlag(arg, names)] : bundle(arg);
      const last = flags.at(-1);
      const wantsNext = takesValue(last?.key) && last?.value === undefined;
      if (last !== undefined && wantsNext && index + 1 < args.length) last.value = args[++index];
      parts.push(...flags);
    }
  }
  return parts;
}

function longFlag(arg: string, names: ReadonlyMap<string, string>): Flag {
  const equals = arg.indexOf('=', 3);
  const name = equals < 0 ? arg : arg.slice(0, equals);
  const value = equals < 0 ? undefined : arg.slice(equals + 1);
  return { kind: 'flag', key: names.get(name), value };
}
