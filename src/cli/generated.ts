/** Files of the repository that are made from the commands' data: `npm run docs` writes them. */
import type { Command, Option, Options } from '../command/command.ts';
import { scripts } from './completion/scripts.ts';
import { helpText, optionForms, optionSummary, usage } from './help.ts';
import { topics } from './topics.ts';
import { aliasesOf, commandTree, entries, type Node } from './tree.ts';
import manifest from '../../package.json' with { type: 'json' };
import { globalOptions } from './globals.ts';

/** Texts by their path below the top of the repository. */
export async function generatedFiles(): Promise<ReadonlyMap<string, string>> {
  return new Map([
    ['docs/commands.md', await commandsPage()],
    ['completions/cictl.bash', scripts.bash],
    ['completions/_cictl', scripts.zsh],
    ['completions/cictl.fish', scripts.fish],
    ['completions/cictl.ps1', scripts.powershell],
  ]);
}

const intro = `# Commands

What \`cictl help\` says, on one page. Made from the commands' data by \`npm run docs\`; a test fails
when it is stale. Nouns answer to their singular and plural (\`build\` = \`builds\`), \`list\` to \`ls\`.
`;

async function commandsPage(): Promise<string> {
  const commands = entries.map(({ command }) => command);
  const links = commands.map((command) => `- [\`cictl ${command.name}\`](#${anchor(command)})`);
  const parts = [
    intro,
    `${links.join('\n')}\n`,
    ...(await Promise.all(commands.map(section))),
    ...(await Promise.all(['flags', ...Object.keys(topics)].map(topicSection))),
  ];
  return parts.join('\n');
}

const section = async ({ name }: Command): Promise<string> =>
  `## cictl ${name}\n\n${fenced(await helpText(name.split(' ')))}`;

const topicSection = async (topic: string): Promise<string> =>
  `## cictl help ${topic}\n\n${fenced(await helpText([topic]))}`;

const fenced = (text: string): string => `\`\`\`text\n${text}\`\`\`\n`;

const anchor = ({ name }: Command): string => `cictl-${name.replaceAll(' ', '-')}`;

/** Help texts for the launcher, which prints them before anything of the tool is loaded. */
interface HelpTexts {
  readonly texts: readonly string[];
  /** The words of commands and nouns, in every form that they may take, to the place of their text. */
  readonly places: Readonly<Record<string, number>>;
  /** The same for topics, which `cictl help` alone takes. */
  readonly topics: Readonly<Record<string, number>>;
  /** The same for `builds help`: nouns that are no commands themselves. */
  readonly nouns: Readonly<Record<string, number>>;
}

/** What `cictl help` says of each command, noun and topic. */
export async function helpTexts(): Promise<HelpTexts> {
  const texts: string[] = [];
  const add = async (words: string): Promise<number> =>
    texts.push(await helpText(words.split(' ').filter(Boolean))) - 1;
  const placesOf: Record<string, number> = {};
  const nouns: Record<string, number> = {};
  for (const { forms, isNoun } of spellings(commandTree())) {
    const at = await add(forms[0] ?? '');
    for (const form of forms) placesOf[form] = at;
    if (isNoun) for (const form of forms) nouns[`${form} help`] = at;
  }
  const topicPlaces: Record<string, number> = {};
  for (const name of topicNames) topicPlaces[name] = await add(name);
  return { texts, places: placesOf, topics: topicPlaces, nouns };
}

const topicNames = ['flags', ...Object.keys(topics)];

interface Spelling {
  /** The usual one first. */
  readonly forms: readonly string[];
  readonly isNoun: boolean;
}

/** For each node of the tree all texts that lead to it. */
function spellings(node: Node, before: readonly string[] = ['']): Spelling[] {
  const below = [...node.words].flatMap(([word, child]) => {
    const words = [word, ...aliasesOf(word, child)];
    return spellings(
      child,
      words.flatMap((form) => before.map((start) => `${start} ${form}`.trim())),
    );
  });
  const isNoun = node.entry === undefined && before[0] !== '';
  return [{ forms: before, isNoun }, ...below];
}

// The manual pages, made from the commands' data: the build writes them.

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
  ...manualSection('NAME', String.raw`cictl \- operate a CI service from the terminal`),
  ...manualSection('SYNOPSIS', `${bold('cictl')} COMMAND [flags]`),
  ...manualSection('DESCRIPTION', escape(description)),
  ...manualSection('COMMANDS', ...commandItems(commands)),
  ...manualSection('OPTIONS OF EVERY COMMAND', ...optionItems(globalOptions)),
  ...Object.values(topics).flatMap(manualTopic),
];

const description =
  'Builds, jobs, logs and annotations of a CI service, and a service of the same API that runs pipeline files on this machine.';

/** Its first line is its title. */
function manualTopic(text: string): string[] {
  const [title = '', ...lines] = text.split('\n');
  return manualSection(title.toUpperCase(), ...verbatim(lines.join('\n').trim()));
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
    ...manualSection('SYNOPSIS', `${bold(`cictl ${name}`)} COMMAND [flags]`),
    ...manualSection('COMMANDS', ...commandItems(commands)),
    ...manualSection('SEE ALSO', reference('cictl')),
  ];
}

/** The manual page of a command, without its title. */
const commandPage = (command: Command): string[] => [
  ...heading(command.name, command.summary),
  ...manualSection('SYNOPSIS', synopsis(command)),
  ...manualSection('DESCRIPTION', escape(`${command.summary}.`), ...details(command)),
  ...manualSection('ARGUMENTS', ...argumentItems(command)),
  ...manualSection('OPTIONS', ...optionItems(command.options)),
  ...manualSection('EXAMPLES', ...verbatim(command.examples.join('\n'))),
  ...manualSection('SEE ALSO', reference('cictl')),
];

/** What `man -k` finds a page by. */
const heading = (name: string, summary: string): string[] =>
  manualSection(
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
const optionItems = (options: Options): string[] =>
  Object.entries(options)
    .filter(([, option]) => !option.hidden)
    .flatMap(([key, option]) => item(term(key, option), optionSummary(option)));

function term(key: string, option: Option): string {
  const value = option.value === undefined ? '' : ` ${italic(option.value)}`;
  return `${optionForms(key, option).map(bold).join(', ')}${value}`;
}

// The few pieces of roff that the manual pages are written in; macros of `man(7)`.

/**
 * A text as roff prints it, letter for letter: a hyphen that can be copied as one, straight quotes, and
 * no line that is taken for a request.
 */
export const escape = (text: string): string =>
  text.replace(/[^\n\x20-\x7e]|[\\\-'"`^~]/gu, escaped).replace(/^(?=\.)/gm, String.raw`\&`);

const names: Readonly<Record<string, string>> = {
  '\\': String.raw`\(rs`,
  '-': String.raw`\-`,
  "'": String.raw`\(aq`,
  '"': String.raw`\(dq`,
  '`': String.raw`\(ga`,
  '^': String.raw`\(ha`,
  '~': String.raw`\(ti`,
};

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return names[character] ?? `\\[u${code.toString(16).toUpperCase().padStart(4, '0')}]`;
}

const bold = (text: string): string => String.raw`\fB${escape(text)}\fR`;
const italic = (text: string): string => String.raw`\fI${escape(text)}\fR`;

/** Under a heading; nothing where it has no lines. */
export const manualSection = (title: string, ...lines: string[]): string[] =>
  lines.length === 0 ? [] : [`.SH ${escape(title)}`, ...lines];

/** A term that is roff already, and the text that explains it, indented. */
export const item = (term: string, text: string): string[] => ['.TP', term, escape(text)];

/** Lines as they are. */
export const verbatim = (text: string): string[] => ['.nf', escape(text.trimEnd()), '.fi'];

/** Another page, as pages name each other: `cictl-builds(1)`. */
const reference = (name: string): string =>
  String.raw`\fB${escape(name.replaceAll(' ', '-'))}\fR(1)`;
