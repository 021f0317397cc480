/** The manual pages, made from the commands' data: the build writes them. */
import manifest from '../../../package.json' with { type: 'json' };
import type { Command } from '../../command/command.ts';
import { globalOptions } from '../globals.ts';
import { topics } from '../topics.ts';
import { commandTree, entries, type Node } from '../tree.ts';
import { commandPage, heading, optionItems } from './command-page.ts';
import { bold, escape, item, reference, section, verbatim } from './roff.ts';

/** Texts by the names of their files: `cictl.1`, `cictl-builds.1`, `cictl-builds-list.1` and so on. */
export function manualPages(): ReadonlyMap<string, string> {
  const commands = entries.map(({ command }) => command);
  return new Map([
    page('', mainPage(commands)),
    ...groups(commandTree()).map((name) => page(name, groupPage(name, commands))),
    ...commands.map((command) => page(command.name, commandPage(command))),
  ]);
}

function page(name: string, lines: readonly string[]): [string, string] {
  const title = ['cictl', ...name.split(' ')].filter(Boolean).join('-');
  // Without a date: the same sources give the same file.
  const head = `.TH "${escape(title.toUpperCase())}" "1" "" "cictl ${manifest.version}" "cictl manual"`;
  // Ragged and without hyphens of its own: what is typed can be copied.
  return [`${title}.1`, `${[head, '.nh', '.ad l', ...lines].join('\n')}\n`];
}

const mainPage = (commands: readonly Command[]): string[] => [
  ...section('NAME', String.raw`cictl \- operate a CI service from the terminal`),
  ...section('SYNOPSIS', `${bold('cictl')} COMMAND [flags]`),
  ...section('DESCRIPTION', escape(description)),
  ...section('COMMANDS', ...commandItems(commands)),
  ...section('OPTIONS OF EVERY COMMAND', ...optionItems(globalOptions)),
  ...Object.values(topics).flatMap(topicSection),
];

const description =
  'Builds, jobs, logs and annotations of a CI service, and a service of the same API that runs pipeline files on this machine.';

/** Its first line is its title. */
function topicSection(text: string): string[] {
  const [title = '', ...lines] = text.split('\n');
  return section(title.toUpperCase(), ...verbatim(lines.join('\n').trim()));
}

const commandItems = (commands: readonly Command[]): string[] =>
  commands.flatMap(({ name, summary }) => item(reference(`cictl ${name}`), summary));

/** The words that lead to further words and are no command themselves. */
const groups = (node: Node, before: readonly string[] = []): string[] =>
  [...node.words].flatMap(([word, child]) => {
    const words = [...before, word];
    const own = child.entry === undefined ? [words.join(' ')] : [];
    return [...own, ...groups(child, words)];
  });

function groupPage(name: string, all: readonly Command[]): string[] {
  const commands = all.filter((command) => command.name.startsWith(`${name} `));
  const verbs = commands.map((command) => command.name.slice(name.length + 1));
  return [
    ...heading(name, verbs.join(', ')),
    ...section('SYNOPSIS', `${bold(`cictl ${name}`)} COMMAND [flags]`),
    ...section('COMMANDS', ...commandItems(commands)),
    ...section('SEE ALSO', reference('cictl')),
  ];
}
