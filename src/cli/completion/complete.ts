import { cleanLine } from '../../common/untrusted-text.ts';
import { topics } from '../topics.ts';
import type { World } from './ask-service.ts';
import type { Members, Resource } from '../../api/resources/resource.ts';
import {
  flagName,
  type Argument,
  type Option,
  type Options,
  type ValueKind,
} from '../../command/command.ts';
import { commandTree, type Node } from '../tree.ts';
import { splitWords, readLine, valuesOf, type Line } from './line.ts';

/**
 * Returns the output of `__complete`: one candidate per line, followed by a tab and its summary.
 * Ignores errors, because messages would garble the prompt.
 */
export async function completionLines(words: readonly string[], world: World): Promise<string> {
  const { candidates, lookUp } = complete(words, [...Object.keys(topics), 'flags']);
  const values = lookUp === undefined ? [] : await lookUpOrNothing(lookUp, world);
  return [...candidates, ...values].filter(isPrintable).map(lineOf).join('');
}

const isPrintable = ({ text }: Candidate): boolean => cleanLine(text) === text;

const lineOf = ({ text, summary }: Candidate): string => `${text}\t${summary}\n`;

async function lookUpOrNothing(lookUp: LookUp, world: World): Promise<readonly Candidate[]> {
  try {
    const { lookUpValues } = await import('./look-up.ts');
    return await lookUpValues(lookUp, world);
  } catch {
    return [];
  }
}

/** A request for values from this machine or the service, not from the command's definition. */
export interface LookUp {
  readonly kind: ValueKind;
  /** The text before the value in the last argument, such as `--branch=`. */
  readonly prefix: string;
  readonly current: string;
  /** Values that are already on the command line and are not offered again */
  readonly given: readonly string[];
  readonly line: Line;
}

interface Completion {
  readonly candidates: readonly Candidate[];
  readonly lookUp?: LookUp;
}

/**
 * Returns candidates for the last of `words`, which may be empty. If there are no candidates, the shell
 * may offer files.
 */
export function complete(words: readonly string[], topics: readonly string[]): Completion {
  const current = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const found = offers(readLine(before), current, topics);
  return { ...found, candidates: matching(found.candidates, current) };
}

/** If nothing matches exactly, ignores case, as the parser does for choices. */
function matching(candidates: readonly Candidate[], current: string): Candidate[] {
  const exact = candidates.filter(({ text }) => text.startsWith(current));
  if (exact.length > 0) return exact;
  const lower = current.toLowerCase();
  return candidates.filter(({ text }) => text.toLowerCase().startsWith(lower));
}

function offers(line: Line, current: string, topics: readonly string[]): Completion {
  const { open, options, command, node } = line;
  if (open?.key !== undefined) return flagValues(open.key, '', current, line);
  const value = line.isBehind ? undefined : attached(current, options);
  if (value !== undefined) return flagValues(value.key, value.prefix, value.text, line);
  if (current.startsWith('-')) return { candidates: line.isBehind ? [] : flags(line) };
  if (command === undefined) return { candidates: words(node) };
  if (command.name === 'help') return { candidates: [...plain(topics), ...words(commandTree())] };
  if (line.isBehind && command.passThrough !== undefined) return { candidates: [] };
  const found = argumentValues(line, current);
  return { ...found, candidates: [...words(node), ...found.candidates] };
}

function attached(current: string, options: Options) {
  const part = splitWords([current], options).at(-1);
  if (part?.kind !== 'flag' || part.value === undefined) return undefined;
  const { key = '', value: text } = part;
  return { key, text, prefix: current.slice(0, current.length - text.length) };
}

/** Omits flags that were given, unless they are repeatable. */
const flags = ({ options, flags }: Line): Candidate[] =>
  Object.entries(options)
    .filter(([, option]) => !option.hidden)
    .filter(([key, option]) => isRepeatable(option) || !flags.some((flag) => flag.key === key))
    .map(([key, { summary }]) => ({ text: `--${flagName(key)}`, summary }));

const isRepeatable = (option: Option | undefined): boolean =>
  option?.value !== undefined && option.repeat === true;

const words = (node: Node): Candidate[] =>
  [...node.words].map(([text, next]) => ({
    text,
    summary: next.entry?.command.summary ?? [...next.words.keys()].join(', '),
  }));

function flagValues(key: string, prefix: string, current: string, line: Line): Completion {
  const option = line.options[key];
  const inline = option?.value === undefined ? option?.inline : undefined;
  if (inline !== undefined) return flagValues(inline, prefix, current, line);
  if (option?.value === undefined) return { candidates: [] };
  const given = isRepeatable(option) ? valuesOf(line, key) : [];
  if (key === 'fields') return listed(prefix, current, [], (part) => members(part, line));
  if (typeof option.suggests === 'string') {
    return { candidates: [], lookUp: { kind: option.suggests, prefix, current, given, line } };
  }
  const choices = plain(option.choices ?? option.suggests ?? []);
  if (!isRepeatable(option)) return { candidates: prefixed(prefix, choices) };
  return listed(prefix, current, given, () => choices);
}

/** Candidates after the last comma, except those that are already in the list. */
function listed(
  prefix: string,
  current: string,
  given: readonly string[],
  offer: (part: string) => readonly Candidate[],
): Completion {
  const list = current.slice(0, current.lastIndexOf(',') + 1);
  const taken = new Set([...given, list].flatMap((values) => values.toLowerCase().split(',')));
  const left = offer(current.slice(list.length)).filter(({ text }) => !taken.has(text));
  return { candidates: prefixed(`${prefix}${list}`, left) };
}

/** Field names, or the fields of the object before the last dot. */
function members(part: string, { command }: Line): Candidate[] {
  const resource: Resource | undefined = command?.resource;
  if (resource === undefined) return [];
  const path = part.split('.').slice(0, -1);
  let found: Members | undefined = resource.members;
  for (const name of path) found = found?.[name]?.of?.members;
  const computed = path.length === 0 ? Object.keys(resource.computed ?? {}) : [];
  return prefixed([...path, ''].join('.'), plain([...Object.keys(found ?? {}), ...computed]));
}

function argumentValues(line: Line, current: string): Completion {
  const all: Argument[] = Object.values(line.command?.arguments ?? {});
  const last = all.at(-1);
  const argument = all[line.words.length] ?? (last?.variadic === true ? last : undefined);
  const { choices, suggests } = argument ?? {};
  if (typeof suggests !== 'string') return { candidates: plain(choices ?? suggests ?? []) };
  const given = argument?.variadic === true ? line.words : [];
  return { candidates: [], lookUp: { kind: suggests, prefix: '', current, given, line } };
}

export interface Candidate {
  readonly text: string;
  /** A description for the shell to show; may be empty. */
  readonly summary: string;
}

export const plain = (texts: readonly string[]): Candidate[] =>
  texts.map((text) => ({ text, summary: '' }));

/** Prefixes each candidate with text from the command line, such as `--state=`. */
export const prefixed = (prefix: string, list: readonly Candidate[]): Candidate[] =>
  prefix === ''
    ? [...list]
    : list.map(({ text, ...rest }) => ({ text: `${prefix}${text}`, ...rest }));
