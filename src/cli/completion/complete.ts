/** Candidates at the cursor of a command line, from the commands' data only. */
import type { Members, Resource } from '../../api/resources/resource.ts';
import {
  flagName,
  type Argument,
  type Command,
  type Option,
  type Options,
} from '../../command/command.ts';
import { globalOptions } from '../globals.ts';
import { commandTree, childOf, type Node } from '../tree.ts';
import { splitWords, type Part } from '../words.ts';

/** One thing to offer. */
export interface Candidate {
  readonly text: string;
  readonly summary: string;
}

/** What completion knows beside the commands' data. */
export interface CompletionSources {
  /** Names of the profiles; read only where one can be completed. */
  profiles(): readonly string[];
  /** Names of the help topics. */
  readonly topics: readonly string[];
}

/**
 * Candidates for the last of `words` (it may be empty); `words` is the command line without
 * `cictl`, up to the cursor. Nothing means that the shell may offer files.
 */
export function complete(words: readonly string[], known: CompletionSources): Candidate[] {
  const current = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  if (before.includes('--')) return [];
  return candidates(before, current, known).filter(({ text }) => text.startsWith(current));
}

function candidates(
  before: readonly string[],
  current: string,
  known: CompletionSources,
): Candidate[] {
  const node = nodeOf(before);
  const command = node.entry?.command;
  const options: Options = { ...globalOptions, ...command?.options };
  const waiting = openFlag(splitWords(before, options), options);
  if (waiting !== undefined) return values(waiting, current, command, known);
  const [, flag, start] = /^--([^=]+)=(.*)$/s.exec(current) ?? [];
  if (flag !== undefined && start !== undefined) {
    const key = Object.keys(options).find((name) => flagName(name) === flag) ?? '';
    return prefixed(`--${flag}=`, values({ key, option: options[key] }, start, command, known));
  }
  if (current.startsWith('-')) return flags(options);
  if (command === undefined) return words(node);
  return [...words(node), ...argumentChoices(command, before, known)];
}

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

interface PendingFlag {
  readonly key: string;
  readonly option: Option | undefined;
}

/** The flag at the end that still waits for its value. */
function openFlag(parts: readonly Part[], options: Options): PendingFlag | undefined {
  const last = parts.at(-1);
  if (last?.kind !== 'flag' || last.key === undefined || last.value !== undefined) return undefined;
  const option = options[last.key];
  return option?.value === undefined ? undefined : { key: last.key, option };
}

function values(
  { key, option }: PendingFlag,
  current: string,
  command: Command | undefined,
  known: CompletionSources,
): Candidate[] {
  if (key === 'fields') return fieldNames(current, command?.resource);
  return option?.value === undefined ? [] : offers(option, known);
}

/** Names for the part behind the last comma; inside an object behind its dot. */
function fieldNames(current: string, resource: Resource | undefined): Candidate[] {
  if (resource === undefined) return [];
  const list = current.slice(0, current.lastIndexOf(',') + 1);
  const path = current.slice(list.length).split('.').slice(0, -1);
  let members: Members | undefined = resource.members;
  for (const name of path) members = members?.[name]?.of?.members;
  const start = [...path, ''].join('.');
  return prefixed(`${list}${start}`, plain(Object.keys(members ?? {})));
}

const flags = (options: Options): Candidate[] =>
  Object.entries(options)
    .filter(([, option]) => !option.hidden)
    .map(([key, { summary }]) => ({ text: `--${flagName(key)}`, summary }));

const words = (node: Node): Candidate[] =>
  [...node.words].map(([text, next]) => ({
    text,
    summary: next.entry?.command.summary ?? [...next.words.keys()].join(', '),
  }));

/** For the argument at the cursor, which is the first that no word before has taken. */
function argumentChoices(
  command: Command,
  before: readonly string[],
  known: CompletionSources,
): Candidate[] {
  if (command.name === 'help') return [...plain(known.topics), ...words(commandTree())];
  const parts = splitWords(before, { ...globalOptions, ...command.options });
  const taken = parts.filter(({ kind }) => kind === 'word').length;
  const all = Object.values(command.arguments);
  const last = all.at(-1);
  const argument = all[taken - command.name.split(' ').length] ?? (last?.variadic && last);
  return argument ? offers(argument, known) : [];
}

function offers(
  { choices, suggests }: Pick<Argument, 'choices' | 'suggests'>,
  known: CompletionSources,
) {
  return plain(suggests === 'profiles' ? known.profiles() : (choices ?? suggests ?? []));
}

const plain = (texts: readonly string[]): Candidate[] =>
  texts.map((text) => ({ text, summary: '' }));

const prefixed = (prefix: string, list: readonly Candidate[]): Candidate[] =>
  list.map(({ text, summary }) => ({ text: `${prefix}${text}`, summary }));
