import type { Command, Option, Options } from '../../command/command.ts';
import { optionForms, optionSummary, usage } from '../usage.ts';
import { bold, escape, italic, item, reference, section, verbatim } from './roff.ts';

/** The manual page of a command, without its title. */
export const commandPage = (command: Command): string[] => [
  ...heading(command.name, command.summary),
  ...section('SYNOPSIS', synopsis(command)),
  ...section('DESCRIPTION', escape(`${command.summary}.`), ...details(command)),
  ...section('ARGUMENTS', ...argumentItems(command)),
  ...section('OPTIONS', ...optionItems(command.options)),
  ...section('EXAMPLES', ...verbatim(command.examples.join('\n'))),
  ...section('SEE ALSO', reference('cictl')),
];

/** What `man -k` finds a page by. */
export const heading = (name: string, summary: string): string[] =>
  section(
    'NAME',
    String.raw`${escape(`cictl-${name.replaceAll(' ', '-')}`)} \- ${escape(summary)}`,
  );

/** The name of the command in bold, what may follow it as it is. */
function synopsis(command: Command): string {
  const name = `cictl ${command.name}`;
  return `${bold(name)}${escape(usage(command).slice(name.length))}`;
}

const details = ({ details: text }: Command): string[] =>
  text === undefined ? [] : ['.PP', ...verbatim(text)];

const argumentItems = (command: Command): string[] =>
  Object.entries(command.arguments).flatMap(([key, { summary }]) =>
    item(italic(key.toUpperCase()), summary),
  );

/** All but those that the help leaves out. */
export const optionItems = (options: Options): string[] =>
  Object.entries(options)
    .filter(([, option]) => !option.hidden)
    .flatMap(([key, option]) => item(term(key, option), optionSummary(option)));

function term(key: string, option: Option): string {
  const value = option.value === undefined ? '' : ` ${italic(option.value)}`;
  return `${optionForms(key, option).map(bold).join(', ')}${value}`;
}
