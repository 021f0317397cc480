/** What stands on a command line before the cursor. */
import type { Command, Options } from '../../command/command.ts';
import { globalOptions } from '../globals.ts';
import { childOf, commandTree, type Node } from '../tree.ts';
import { splitWords, type Flag, type Part } from '../words.ts';

export interface Line {
  /** Where its words lead to. */
  readonly node: Node;
  readonly command: Command | undefined;
  /** Those of the command first, then those that every command takes. */
  readonly options: Options;
  readonly flags: readonly Flag[];
  /** Its arguments: the words behind those that name the command. */
  readonly words: readonly string[];
  /** A flag at its end whose value is still to come. */
  readonly open: Flag | undefined;
  /** Whether the cursor is behind `--`, where no flag is one. */
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

/** The values that a flag was given before the cursor. */
export const valuesOf = ({ flags }: Line, key: string): string[] =>
  flags.flatMap((flag) => (flag.key === key && flag.value !== undefined ? [flag.value] : []));

/** The node that the words lead to, flags and their values left out. */
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

/** What a word at the cursor would be. */
function isBehind(before: readonly string[], options: Options): boolean {
  const part = splitWords([...before, 'word'], options).at(-1);
  return part?.kind === 'word' && part.behind;
}

function openFlag(parts: readonly Part[], options: Options): Flag | undefined {
  const last = parts.at(-1);
  if (last?.kind !== 'flag' || last.key === undefined || last.value !== undefined) return undefined;
  return options[last.key]?.value === undefined ? undefined : last;
}
