import {
  type Handler,
  type Command,
  type Option,
  type Options,
  flagName,
} from '../command/command.ts';
import type { helpCommand } from './own-commands.ts';
import { usageError } from '../errors.ts';
import { globalOptions } from './globals.ts';
import { didYouMean } from '../common/suggest.ts';
import { commandTree, childOf, type Node } from './tree.ts';
import { createColors } from '../render/colors.ts';
import { wantsColor } from '../terminal/streams.ts';
import type { Env } from '../common/env.ts';
import type { Flag } from './program.ts';

export const printHelp: Handler<typeof helpCommand> = async ({ topic }, { out }) =>
  out.write(await helpText(topic, { bold: out.color.bold, width: Math.min(80, out.width) }));

interface HelpPage {
  /** Width in columns. Defaults to 80. */
  readonly width?: number;
  readonly bold?: (text: string) => string;
}

/**
 * Returns the help of a command, a noun, a topic or cictl itself (no words). Throws a usage error
 * for unknown words.
 */
export const helpText = async (words: readonly string[], page: HelpPage = {}): Promise<string> =>
  helpPage(await wholeText(words), page);

async function wholeText(words: readonly string[]): Promise<string> {
  const [first] = words;
  if (first === undefined) return overview();
  if (first === 'flags') return `Global flags\n\n${optionLines(globalOptions)}`;
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
  const nouns = [...commandTree().words].map(
    ([word, node]) =>
      [word, node.entry?.command.summary ?? [...node.words.keys()].join(', ')] as const,
  );
  return [
    'Operate a CI service from the terminal: builds, jobs, logs, annotations.',
    '',
    'Usage: cictl COMMAND [flags]',
    '',
    columns(nouns),
    'Get started:',
    '  cictl run                   run the pipeline in this directory',
    '  cictl auth login            log in to a hosted service',
    '',
    'More: cictl help COMMAND; cictl help flags, environment, exit-codes, formatting, references',
    '',
  ].join('\n');
}

function nounHelp(words: readonly string[], node: Node): string {
  const name = words.join(' ');
  const rows = Array.from(
    new Set(leaves(node)),
    (command) => [command.name, command.summary] as const,
  );
  return `Usage: cictl ${name} COMMAND [flags]\n\n${columns(rows)}\nMore: cictl help ${name} COMMAND\n`;
}

const leaves = (node: Node): Command[] => [
  ...(node.entry === undefined ? [] : [node.entry.command]),
  ...[...node.words.values()].flatMap(leaves),
];

function commandHelp(command: Command): string {
  const details = command.details === undefined ? '' : `\n${command.details}\n`;
  const rows = Object.entries(command.arguments).map(
    ([key, argument]) => [key.toUpperCase(), argument.summary] as const,
  );
  return [
    `${command.summary}\n${details}`,
    `Usage: ${usage(command)}\n`,
    ...(rows.length > 0 ? [`Arguments:\n${columns(rows)}`] : []),
    ...(Object.keys(command.options).length > 0 ? [`Flags:\n${optionLines(command.options)}`] : []),
    `Examples:\n${command.examples.map((example) => `  ${example}\n`).join('')}`,
    'Global flags: cictl help flags\n',
  ].join('\n');
}

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
  // A very long flag extends into the second column, so that other rows keep their widths.
  const width = Math.max(0, ...widths.filter((one) => one <= longestAligned));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}\n`).join('');
}

export function helpPage(text: string, { width = 80, bold }: HelpPage = {}): string {
  const blocks = blocksOf(text.replace(/\n$/, '').split('\n'));
  const lines = blocks.flatMap((block) => fitBlock(block, width));
  const painted = bold === undefined ? lines : lines.map((line, at) => paint(line, at, bold));
  return `${painted.join('\n')}\n`;
}

/** A unit of wrapping: a paragraph, a row of two columns, or a command line. */
interface Block {
  readonly lines: string[];
  /** Column where continuation lines start. */
  readonly hang: number;
}

function blocksOf(lines: readonly string[]): Block[] {
  const blocks: Block[] = [];
  for (const line of lines) {
    const last = blocks.at(-1);
    if (last !== undefined && continues(line, last)) last.lines.push(line);
    else blocks.push({ lines: [line], hang: hangOf(line) });
  }
  return blocks;
}

/** A paragraph continues on the next line, a row on lines indented to its second column. */
function continues(line: string, { lines: [first = ''], hang }: Block): boolean {
  if (line === '' || first === '' || head.test(first) || head.test(line)) return false;
  return indentOf(line) === hang && (hang === 0 || indentOf(first) < hang);
}

const indentOf = (line: string): number => line.length - line.trimStart().length;

/** Returns where the second column of a row starts. */
const hangOf = (line: string): number =>
  /^ +\S+(?: \S+)* {2,}(?=\S)/.exec(line)?.[0].length ?? indentOf(line);

function fitBlock({ lines, hang }: Block, width: number): string[] {
  if (lines.every((line) => line.length <= width)) return lines;
  const [first = '', ...rest] = lines;
  if (/^ +cictl /.test(first)) return commandLines(first, width);
  const start = first.slice(0, hang);
  const words = [first, ...rest].flatMap((line) => line.slice(hang).split(/ +/));
  if (width - hang >= leastColumns || start.trim() === '') return wrap(words, start, hang, width);
  // Text that does not fit next to `start` begins on the next line.
  return [start.trimEnd(), ...wrap(words, ' '.repeat(below), below, width)];
}

const leastColumns = 24;

const below = 8;

/** Wraps words after `start`. A word that is too long for a line gets its own line. */
function wrap(words: readonly string[], start: string, hang: number, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of words) {
    const isFull = line !== '' && hang + line.length + 1 + word.length > width;
    if (isFull) lines.push(line);
    line = isFull || line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].map((text, at) => `${at === 0 ? start : ' '.repeat(hang)}${text}`);
}

/** Splits a command line so that a shell still accepts it; never splits quoted strings. */
function commandLines(line: string, width: number): string[] {
  const words = line.match(/(?:'[^']*'|"[^"]*"|\S)+/g) ?? [];
  const indent = indentOf(line);
  // Leaves one column for the backslash.
  const lines = wrap(words, ' '.repeat(indent), indent + 2, width - 2);
  return lines.map((one, at) => (at < lines.length - 1 ? `${one} \\` : one));
}

/** Matches `Flags:`, with or without text after it. */
const head = /^(?:Usage|More|[A-Z][\w ]*(?=:$)):/;

const paint = (line: string, at: number, bold: (text: string) => string): string =>
  at === 0 && !head.test(line) ? bold(line) : line.replace(head, (text) => bold(text));

/** Maximum width of help in columns, even on a wide terminal. */
const readable = 80;

/** Fits help to the terminal, with bold headings if color is on. */
export async function helpLook(
  flags: readonly Pick<Flag, 'key'>[],
  { env, stdout }: { env: Env; stdout: { isTTY?: boolean; columns?: number } },
): Promise<HelpPage> {
  const last = flags.findLast(({ key }) => key === 'color' || key === 'noColor')?.key;
  const flag = last === undefined ? undefined : last === 'color';
  const isTerminal = stdout.isTTY === true;
  const { bold } = await createColors(wantsColor(flag, env, isTerminal));
  return { bold, width: isTerminal ? Math.min(readable, stdout.columns || readable) : readable };
}

/** Example: `cictl builds view [BUILD] [flags]`. */
export function usage(command: Command): string {
  const words = Object.entries(command.arguments).map(([key, { required, variadic }]) => {
    const word = `${key.toUpperCase()}${variadic ? '...' : ''}`;
    return required ? word : `[${word}]`;
  });
  const rest = command.passThrough === undefined ? '' : ` [-- ${command.passThrough}]`;
  return `${['cictl', command.name, ...words, '[flags]'].join(' ')}${rest}`;
}

/** The spellings of a flag, such as `-s` and `--state`. */
export const optionForms = (key: string, { short }: Option): string[] => [
  ...(short === undefined ? [] : [`-${short}`]),
  `--${flagName(key)}`,
];

export function optionSummary(option: Option): string {
  if (option.value === undefined) return option.summary;
  const notes = [
    ...(option.choices ? [option.choices.join(', ')] : []),
    ...(option.repeat ? ['repeatable'] : []),
    ...(option.fallback === undefined ? [] : [`default ${option.fallback}`]),
  ];
  return notes.length > 0 ? `${option.summary} (${notes.join('; ')})` : option.summary;
}
