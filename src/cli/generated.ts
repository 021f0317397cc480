/** Files generated from the definitions of the commands. */
import type { Command, Option, Options } from '../command/command.ts';
import { scripts } from './completion/scripts.ts';
import { helpText, optionForms, optionSummary, usage } from './help.ts';
import { topics } from './topics.ts';
import { aliasesOf, commandTree, entries, type Node } from './tree.ts';
import manifest from '../../package.json' with { type: 'json' };
import { globalOptions } from './globals.ts';

/** Files that `npm run docs` writes, by path. */
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

Help for every command on one page. \`npm run docs\` generates this page, and a test fails if it is out of date. Every noun has
a singular and a plural form (\`build\` = \`builds\`), and \`ls\` is short for \`list\`.
`;

async function commandsPage(): Promise<string> {
  const commands = entries.map(({ command }) => command);
  const links = commands.map(
    (command) => `- [\`cictl ${command.name}\`](#cictl-${command.name.replaceAll(' ', '-')})`,
  );
  const parts = [
    intro,
    `${links.join('\n')}\n`,
    ...(await Promise.all(commands.map(({ name }) => section(name, name.split(' '))))),
    ...(await Promise.all(topicNames.map((topic) => section(`help ${topic}`, [topic])))),
  ];
  return parts.join('\n');
}

const section = async (title: string, words: readonly string[]): Promise<string> =>
  `## cictl ${title}\n\n\`\`\`text\n${await helpText(words)}\`\`\`\n`;

const topicNames = ['flags', ...Object.keys(topics)];

/** Help texts for the launcher, which prints them without loading the rest of cictl. */
interface HelpTexts {
  readonly texts: readonly string[];
  /** Maps each spelling of a command or noun to an index in `texts`. */
  readonly places: Readonly<Record<string, number>>;
  /** For `cictl help TOPIC`. */
  readonly topics: Readonly<Record<string, number>>;
  /** For `builds help`. Contains nouns that are not commands themselves. */
  readonly nouns: Readonly<Record<string, number>>;
}

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

/** All spellings of each node of the tree; the usual spelling is first. */
function spellings(
  node: Node,
  before: readonly string[] = [''],
): { forms: readonly string[]; isNoun: boolean }[] {
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

/**
 * Manual pages by file name: `cictl.1`, `cictl-builds.1`, `cictl-builds-list.1`. The build writes
 * them.
 */
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
  // Contains no date, so that the build is reproducible.
  const head = `.TH "${escape(title.toUpperCase())}" "1" "" "cictl ${manifest.version}" "cictl manual"`;
  // Left-aligned and without hyphenation, so that commands can be copied.
  return [`${title}.1`, `${[head, '.nh', '.ad l', ...lines].join('\n')}\n`];
}

const mainPage = (commands: readonly Command[]): string[] => [
  ...manualSection('NAME', String.raw`cictl \- operate a CI service from the terminal`),
  ...manualSection('SYNOPSIS', `${bold('cictl')} COMMAND [flags]`),
  ...manualSection('DESCRIPTION', escape(description)),
  ...manualSection('COMMANDS', ...commandItems(commands)),
  ...manualSection('GLOBAL OPTIONS', ...optionItems(globalOptions)),
  ...Object.values(topics).flatMap(manualTopic),
];

const description =
  'Operates a CI service: builds, jobs, logs and annotations. A local service with the same API runs pipeline files on this machine.';

/** The first line of `text` is the title. */
function manualTopic(text: string): string[] {
  const [title = '', ...lines] = text.split('\n');
  return manualSection(title.toUpperCase(), ...verbatim(lines.join('\n').trim()));
}

const commandItems = (commands: readonly Command[]): string[] =>
  commands.flatMap(({ name, summary }) => item(reference(`cictl ${name}`), summary));

/** The nouns that are not commands themselves. */
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

const commandPage = (command: Command): string[] => [
  ...heading(command.name, command.summary),
  ...manualSection('SYNOPSIS', synopsis(command)),
  ...manualSection('DESCRIPTION', escape(`${command.summary}.`), ...details(command)),
  ...manualSection('ARGUMENTS', ...argumentItems(command)),
  ...manualSection('OPTIONS', ...optionItems(command.options)),
  ...manualSection('EXAMPLES', ...verbatim(command.examples.join('\n'))),
  ...manualSection('SEE ALSO', reference('cictl')),
];

/** The NAME section, which `man -k` searches. */
const heading = (name: string, summary: string): string[] =>
  manualSection(
    'NAME',
    String.raw`${escape(`cictl-${name.replaceAll(' ', '-')}`)} \- ${escape(summary)}`,
  );

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

const optionItems = (options: Options): string[] =>
  Object.entries(options)
    .filter(([, option]) => !option.hidden)
    .flatMap(([key, option]) => item(term(key, option), optionSummary(option)));

function term(key: string, option: Option): string {
  const value = option.value === undefined ? '' : ` ${italic(option.value)}`;
  return `${optionForms(key, option).map(bold).join(', ')}${value}`;
}

/**
 * Escapes text for roff (`man(7)`), so that hyphens can be copied, quotes stay straight, and no
 * line is mistaken for a roff request.
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

export const manualSection = (title: string, ...lines: string[]): string[] =>
  lines.length === 0 ? [] : [`.SH ${escape(title)}`, ...lines];

/** `term` must already be escaped for roff; `text` is escaped here. */
export const item = (term: string, text: string): string[] => ['.TP', term, escape(text)];

export const verbatim = (text: string): string[] => ['.nf', escape(text.trimEnd()), '.fi'];

/** Example: `cictl-builds(1)`. */
const reference = (name: string): string =>
  String.raw`\fB${escape(name.replaceAll(' ', '-'))}\fR(1)`;
