/** Files of the repository that are made from the commands' data: `npm run docs` writes them. */
export { manualPages } from './man.ts';
import type { Command } from '../command/command.ts';
import { scripts } from './completion/scripts.ts';
import { helpText } from './help.ts';
import { topics } from './topics.ts';
import { aliasesOf, commandTree, entries, type Node } from './tree.ts';

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
export interface HelpTexts {
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
