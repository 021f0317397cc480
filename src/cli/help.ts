import {
  type Handler,
  type Command,
  type Option,
  type Options,
  flagName,
  type Argument,
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

/** `cictl help [TOPIC|COMMAND]`. */
export const printHelp: Handler<typeof helpCommand> = async ({ topic }, { out }) =>
  out.write(await helpText(topic, { bold: out.color.bold, width: Math.min(80, out.width) }));

// The text of every help page, made from the commands' data.

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

// Fits a page of help into a width, word by word, and paints its heads.

interface HelpPage {
  /** Columns; default 80. */
  readonly width?: number;
  /** How a head is painted; as it is where left out. */
  readonly bold?: (text: string) => string;
}

/** A page whose lines were written without a thought of the width. */
export function helpPage(text: string, { width = 80, bold }: HelpPage = {}): string {
  const lines = blocksOf(text.replace(/\n$/, '').split('\n')).flatMap((block) =>
    fitBlock(block, width),
  );
  const painted = bold === undefined ? lines : lines.map((line, at) => paint(line, at, bold));
  return `${painted.join('\n')}\n`;
}

/** What is wrapped as one: a paragraph, a row with its further lines, or a command line. */
interface Block {
  readonly lines: string[];
  /** Column at which further lines begin. */
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

/** Prose goes on with the next line, a row with one that begins below its text. */
function continues(line: string, { lines: [first = ''], hang }: Block): boolean {
  if (line === '' || first === '' || isHead(first) || isHead(line)) return false;
  return indentOf(line) === hang && (hang === 0 || indentOf(first) < hang);
}

const indentOf = (line: string): number => line.length - line.trimStart().length;

/** In a row of two columns the place of the second. */
const hangOf = (line: string): number =>
  /^ +\S+(?: \S+)* {2,}(?=\S)/.exec(line)?.[0].length ?? indentOf(line);

function fitBlock({ lines, hang }: Block, width: number): string[] {
  if (lines.every((line) => line.length <= width)) return lines;
  const [first = '', ...rest] = lines;
  if (/^ +cictl /.test(first)) return commandLines(first, width);
  const start = first.slice(0, hang);
  const words = [first, ...rest].flatMap((line) => line.slice(hang).split(/ +/));
  if (width - hang >= leastColumns || start.trim() === '') return wrap(words, start, hang, width);
  // No place beside: what belongs to it stands below it.
  return [start.trimEnd(), ...wrap(words, ' '.repeat(below), below, width)];
}

/** Columns in which text can be read beside something. */
const leastColumns = 24;

/** Where text begins that stands below what it belongs to. */
const below = 8;

/** Lines of whole words behind `start`; a word longer than a line has one of its own. */
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

/** A command line that a shell still reads as one; no quoted text is parted. */
function commandLines(line: string, width: number): string[] {
  const words = line.match(/(?:'[^']*'|"[^"]*"|\S)+/g) ?? [];
  const indent = indentOf(line);
  // What follows the first line stands two columns deeper, and the backslash has its place.
  const lines = wrap(words, ' '.repeat(indent), indent + 2, width - 2);
  return lines.map((one, at) => (at < lines.length - 1 ? `${one} \\` : one));
}

/** `Flags:`, alone or before what it is the head of. */
const isHead = (line: string): boolean => /^(?:Usage|More|[A-Z][\w ]*(?=:$)):/.test(line);

function paint(line: string, at: number, bold: (text: string) => string): string {
  if (at === 0 && !isHead(line)) return bold(line);
  return line.replace(/^(?:Usage|More|[A-Z][\w ]*(?=:$)):/, (head) => bold(head));
}

interface HelpHost {
  readonly env: Env;
  readonly stdout: { readonly isTTY?: boolean; readonly columns?: number };
}

/** No line is longer than what can be read, nor than the terminal is wide. */
const readable = 80;

/** How help looks where it is printed: fitted to the terminal, with bold heads where colour is. */
export async function helpLook(
  flags: readonly Pick<Flag, 'key'>[],
  { env, stdout }: HelpHost,
): Promise<HelpPage> {
  const last = flags.findLast(({ key }) => key === 'color' || key === 'noColor')?.key;
  const flag = last === undefined ? undefined : last === 'color';
  const isTerminal = stdout.isTTY === true;
  const { bold } = await createColors(wantsColor(flag, env, isTerminal));
  return { bold, width: isTerminal ? Math.min(readable, stdout.columns || readable) : readable };
}

// How a command and its options are written, for its help and its manual page.

/** `cictl builds view [BUILD] [flags]`. */
export function usage(command: Command): string {
  const words = Object.entries(command.arguments).map(([key, argument]) =>
    argumentUsage(key, argument),
  );
  const rest = command.passThrough === undefined ? '' : ` [-- ${command.passThrough}]`;
  return `${['cictl', command.name, ...words, '[flags]'].join(' ')}${rest}`;
}

function argumentUsage(key: string, argument: Argument): string {
  const word = `${key.toUpperCase()}${argument.variadic ? '...' : ''}`;
  return argument.required ? word : `[${word}]`;
}

/** The forms of a flag, `-s` and `--state`. */
export const optionForms = (key: string, { short }: Option): string[] => [
  ...(short === undefined ? [] : [`-${short}`]),
  `--${flagName(key)}`,
];

/** What an option does, with the values it takes. */
export function optionSummary(option: Option): string {
  if (option.value === undefined) return option.summary;
  const notes = [
    ...(option.choices ? [option.choices.join(', ')] : []),
    ...(option.repeat ? ['repeatable'] : []),
    ...(option.fallback === undefined ? [] : [`default ${option.fallback}`]),
  ];
  return notes.length > 0 ? `${option.summary} (${notes.join('; ')})` : option.summary;
}
