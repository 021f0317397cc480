/** From what stood on the command line to the input of a command. */
import { usageError } from '../errors.ts';
import { parseDuration } from '../parse/flag-values.ts';
import { didYouMean } from '../common/suggest.ts';
import {
  flagName,
  type Argument,
  type Command,
  type Options,
  type Valued,
} from '../command/command.ts';
import type { CommandLine, Flag } from './program.ts';
import { excessArgument } from './usage-errors.ts';

/** The values of all options by key: arrays for repeatable ones, false for absent switches. */
export function optionValues(flags: readonly Flag[], options: Options): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [key, option] of Object.entries(options)) {
    if (option.value === undefined) values[key] = false;
    else if (option.repeat) values[key] = [];
  }
  checkInline(flags);
  for (const { key, value: text, inlineOf } of flags) {
    const option = options[key];
    const list = values[key];
    if (option?.value === undefined) values[key] = true;
    else if (Array.isArray(list))
      list.push(...parts(text ?? '', option).map((part) => convert(key, part, option)));
    else values[key] = convert(inlineOf ?? key, text ?? '', option);
  }
  return values;
}

/** `--json=a,b` and `--fields c` contradict each other. */
function checkInline(flags: readonly Flag[]): void {
  const inline = flags.find(({ inlineOf }) => inlineOf !== undefined);
  const other = flags.find(({ key, inlineOf }) => key === inline?.key && inlineOf === undefined);
  if (inline?.inlineOf === undefined || other === undefined) return;
  const [one, two] = [inline.inlineOf, other.key].map((key) => `--${flagName(key)}`);
  throw usageError(`${one ?? ''}=… and ${two ?? ''} cannot be used together`);
}

/** Several choices may stand in one value: `-s passed,failed`. */
const parts = (text: string, { choices }: Valued): string[] =>
  choices === undefined ? [text] : text.split(',').map((part) => part.trim());

function convert(key: string, typed: string, { type, choices }: Valued): string | number {
  const flag = `--${flagName(key)}`;
  // `-L=5`, as other tools take it; neither a choice nor a number begins so.
  const text = type === 'integer' || choices !== undefined ? typed.replace(/^=/, '') : typed;
  if (choices !== undefined) {
    const choice = chosen(text, choices);
    if (choice !== undefined) return choice;
    const meant = didYouMean(text, choices);
    throw usageError(`${flag} takes ${choices.join(', ')}, not "${text}"${meant}`);
  }
  if (type === 'duration') return parseDuration(text, flag);
  if (type !== 'integer') return text;
  if (!/^[+-]?\d{1,15}$/.test(text))
    throw usageError(`${flag} takes a whole number, not "${text}"`);
  return Number(text);
}

/** In any case, and a state as its word is shown: `timed out`, `not-run`. */
function chosen(text: string, choices: readonly string[]): string | undefined {
  const forms = [text.toLowerCase(), text.toLowerCase().replace(/[\s-]+/g, '_')];
  return choices.find((one) => forms.includes(one));
}

/**
 * The values of all arguments by key, and under `rest` what a program that is passed through gets.
 */
export function argumentValues(
  command: Command,
  { words, behind }: CommandLine,
): Record<string, unknown> {
  const own = command.passThrough !== undefined ? words.length - behind : words.length;
  const left = words.slice(0, own);
  const values: Record<string, unknown> = { rest: words.slice(own) };
  for (const [key, argument] of Object.entries(command.arguments)) {
    values[key] = argument.variadic ? left.splice(0) : left.shift();
    values[key] = checkChoice(key, argument, values[key]);
  }
  if (left.length > 0) throw excessArgument(words.slice(0, own), command);
  return values;
}

function checkChoice(key: string, { choices }: Argument, value: unknown): unknown {
  if (choices === undefined || typeof value !== 'string') return value;
  const choice = chosen(value, choices);
  if (choice !== undefined) return choice;
  throw usageError(`${key.toUpperCase()} is one of ${choices.join(', ')}, not "${value}"`);
}
