/**
 * `buildkite-agent` as the jobs of the built-in service find it on PATH: the subcommands that scripts call,
 * with the flags and exit codes of the public one.
 */
import { argv, env, stderr, stdout } from 'node:process';
import { allCommands } from './all-commands.ts';
import { AgentError, type Command } from './command.ts';
import { helpOf, overview } from './help.ts';
import { parse } from './parse.ts';

/** What `--version` says: the public agent whose subcommands, flags and exit codes these are. */
const version = '3.90.0';

export async function run(words: readonly string[]): Promise<number> {
  const [first = ''] = words;
  if (['--version', '-v', '-version'].includes(first))
    return say(`buildkite-agent version ${version}+cictl\n`);
  if (['', 'help', '--help', '-h'].includes(first)) return say(overview(allCommands, []));
  const command = find(words);
  if (command === undefined) return unknown(words);
  const rest = words.slice(command.name.split(' ').length);
  if (isHelp(rest)) return say(helpOf(command));
  return (await command.run(parse(command, rest, env))) ?? 0;
}

function say(text: string): number {
  stdout.write(text);
  return 0;
}

const find = (words: readonly string[]): Command | undefined =>
  allCommands.find(({ name }) => words.slice(0, name.split(' ').length).join(' ') === name);

function isHelp(words: readonly string[]): boolean {
  const end = words.indexOf('--');
  const before = end < 0 ? words : words.slice(0, end);
  return before.some((word) => ['--help', '-help', '-h'].includes(word));
}

/** A group by itself shows what is in it. */
function unknown([group = '', word]: readonly string[]): number {
  const isGroup = allCommands.some(({ name }) => name.startsWith(`${group} `));
  if (isGroup && (word === undefined || ['help', '--help', '-h'].includes(word)))
    return say(overview(allCommands, [group]));
  const name = isGroup ? `${group} ${word ?? ''}` : group;
  throw new AgentError(
    `unknown subcommand "${name}"\nRun 'buildkite-agent ${isGroup ? `${group} ` : ''}--help' for usage.`,
    { isFatal: false },
  );
}

function report(error: unknown): number {
  const message = error instanceof Error ? error.message : String(error);
  const isFatal = !(error instanceof AgentError) || error.isFatal;
  stderr.write(isFatal ? `buildkite-agent: fatal: ${message}\n` : `buildkite-agent: ${message}\n`);
  return error instanceof AgentError ? error.exitCode : 1;
}

// A reader that has gone has seen enough.
stdout.on('error', () => undefined);
void run(argv.slice(2))
  .catch(report)
  .then((code) => void (process.exitCode = code));
