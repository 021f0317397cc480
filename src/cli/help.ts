/** The text of every help page, made from the commands' data. */
import { usageError } from '../errors.ts';
import type { Command, Option, Options } from '../command/command.ts';
import { globalOptions } from './globals.ts';
import { helpPage, type HelpPage } from './help-page.ts';
import { didYouMean } from '../common/suggest.ts';
import { commandTree, childOf, type Node } from './tree.ts';
import { optionForms, optionSummary, usage } from './usage.ts';

/**
 * The help of a command, of a noun, of a topic or, for no words, of the tool; ends with a newline.
 * Throws a usage error for words that are none of these.
 */
export const helpText = async (words: readonly string[], page: HelpPage = {}): Promise<string> =>
  helpPage(await wholeText(words), page);

async function wholeText(words: readonly string[]): Promise<string> {
  const [first] = words;
  if (first === undefined) return overview();
  if (first === 'flags') return `Flags of every command\n\n${optionLines(globalOptions)}`;
  const { topics } = await import('./topics.ts');
  const topic = words.length === 1 && Object.hasOwn(topics, first) ? topics[first] : undefined;
  if (topic !== undefined) return topic;
  return describe(words, [...Object.keys(topics), 'flags']);
}

function describe(words: readonly string[], topics: readonly string[]): string {
  let node: Node = commandTree();
  const names: string[] = [];
  for (const word of words) {
    const next = childOf(node, word);
    if (next === undefined) {
      const meant = didYouMean(word, [...node.words.keys(), ...topics]);
      throw usageError(`no help for "${words.join(' ')}"${meant}`, 'cictl help');
    }
    names.push([...node.words].find(([, child]) => child === next)?.[0] ?? word);
    node = next;
  }
  return node.entry === undefined ? nounHelp(names, node) : commandHelp(node.entry.command);
}

function overview(): string {
  const nouns = [...commandTree().words].map(([word, node]): [string, string] => [
    word,
    node.entry?.command.summary ?? [...node.words.keys()].join(', '),
  ]);
  return [
    'cictl operates a CI service: builds, jobs, logs, annotations.',
    '',
    'Usage: cictl COMMAND [flags]',
    '',
    columns(nouns),
    'Start here:',
    '  cictl run                   run the pipeline of this folder on this machine',
    '  cictl auth login            use a hosted service',
    '',
    'More: cictl help COMMAND; cictl help flags, environment, exit-codes, formatting, references',
    '',
  ].join('\n');
}

function nounHelp(words: readonly string[], node: Node): string {
  const name = words.join(' ');
  const rows = [...new Set(leaves(node))].map((command): [string, string] => [
    command.name,
    command.summary,
  ]);
  return `Usage: cictl ${name} COMMAND [flags]\n\n${columns(rows)}\nMore: cictl help ${name} COMMAND\n`;
}

const leaves = (node: Node): Command[] => [
  ...(node.entry === undefined ? [] : [node.entry.command]),
  ...[...node.words.values()].flatMap(leaves),
];

function commandHelp(command: Command): string {
  const details = command.details === undefined ? '' : `\n${command.details}\n`;
  const args = Object.entries(command.arguments);
  const rows = args.map(([key, argument]): [string, string] => [
    key.toUpperCase(),
    argument.summary,
  ]);
  return [
    `${command.summary}\n${details}`,
    `Usage: ${usage(command)}\n`,
    ...(rows.length > 0 ? [`Arguments:\n${columns(rows)}`] : []),
    ...(Object.keys(command.options).length > 0 ? [`Flags:\n${optionLines(command.options)}`] : []),
    `Examples:\n${command.examples.map((example) => `  ${example}\n`).join('')}`,
    'Flags of every command: cictl help flags\n',
  ].join('\n');
}

/** One line an option, aligned. */
const optionLines = (options: Options): string =>
  columns(
    Object.entries(options)
      .filter(([, option]) => !option.hidden)
      .map(([key, option]) => [optionUsage(key, option), optionSummary(option)]),
  );

function optionUsage(key: string, option: Option): string {
  const forms = optionForms(key, option).join(', ');
  const value = option.value === undefined ? '' : ` ${option.value}`;
  return `${option.short === undefined ? '    ' : ''}${forms}${value}`;
}

const longestAligned = 30;

function columns(rows: readonly (readonly [string, string])[]): string {
  const widths = rows.map(([left]) => left.length);
  // A very long flag stands out instead of narrowing the text of all others.
  const width = Math.max(0, ...widths.filter((one) => one <= longestAligned));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}\n`).join('');
}
