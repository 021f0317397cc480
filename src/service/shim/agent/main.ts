/** The `buildkite-agent` program for jobs on the built-in service: the subcommands for scripts. */
import { argv, env, stderr, stdout } from 'node:process';
import { allCommands } from './all-commands.ts';
import { AgentError, type Command, type Flag, type Given, commonFlags } from './command.ts';

/** The version of the public agent whose subcommands, flags and exit codes this program copies. */
const version = '3.90.0';

async function run(words: readonly string[]): Promise<number> {
  const [first = ''] = words;
  if (['--version', '-v', '-version'].includes(first))
    return say(`buildkite-agent version ${version}+cictl\n`);
  if (['', 'help', '--help', '-h'].includes(first)) return say(overview(''));
  const command = find(words);
  if (command === undefined) return unknown(words);
  const rest = words.slice(command.name.split(' ').length);
  if (isHelp(rest)) return say(helpOf(command));
  return (await command.run(parse(command, rest))) ?? 0;
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

function unknown([group = '', word]: readonly string[]): number {
  const isGroup = allCommands.some(({ name }) => name.startsWith(`${group} `));
  if (isGroup && (word === undefined || ['help', '--help', '-h'].includes(word)))
    return say(overview(`${group} `));
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
  return 1;
}

const isSwitch = /^(?:1|0|t|f|true|false)$/i;

/**
 * Parses a command line as Go programs do: flags have one or two dashes and may be anywhere before
 * `--`. Throws `AgentError` for an unknown flag, and for a missing value or argument.
 */
function parse(command: Command, words: readonly string[]): Given {
  const flags = [...command.flags, ...commonFlags];
  const values = new Map<string, string>();
  const args: string[] = [];
  const rest = [...words];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === '--') args.push(...rest.splice(0));
    else if (/^--?[^-]/.test(word)) readFlag(flags, word, rest, values);
    else args.push(word);
  }
  const given = givenBy(flags, values, args);
  const missing =
    command.needs?.find((_, index) => !args[index]) ??
    flags.find(({ name, isNeeded }) => isNeeded === true && given.text(name) === '')?.name;
  if (missing === undefined) return given;
  const problem = `Missing ${missing}. See: \`buildkite-agent ${command.name} --help\``;
  throw new AgentError(problem, { isFatal: false });
}

function readFlag(
  flags: readonly Flag[],
  word: string,
  rest: string[],
  values: Map<string, string>,
): void {
  const [, name = '', given] = /^--?([^=]+)(?:=([^]*))?$/.exec(word) ?? [];
  const flag = flags.find((one) => one.name === name);
  if (flag === undefined) throw new AgentError(`flag provided but not defined: -${name}`);
  const value = given ?? (flag.value === undefined ? 'true' : rest.shift());
  if (value === undefined) throw new AgentError(`flag needs an argument: -${name}`);
  if (flag.value === undefined && !isSwitch.test(value))
    throw new AgentError(`invalid boolean value "${value}" for -${name}`);
  values.set(name, value);
}

const isOn = /^(?:1|t|true)$/i;

function givenBy(
  flags: readonly Flag[],
  values: ReadonlyMap<string, string>,
  args: readonly string[],
): Given {
  const flagOf = (name: string) => flags.find((flag) => flag.name === name);
  // An empty variable is treated like an unset one.
  const find = (name: string): string | undefined =>
    values.get(name) ??
    flagOf(name)
      ?.env?.map((one) => env[one])
      .find(Boolean);
  return {
    args,
    text: (name) => find(name) ?? flagOf(name)?.default ?? '',
    has: (name) => find(name) !== undefined,
    on: (name) => isOn.test(find(name) ?? ''),
  };
}

function helpOf(command: Command): string {
  const { name, args, summary } = command;
  const usage = `buildkite-agent ${name} [options...] ${args}`.trimEnd();
  const flags = [...command.flags, ...commonFlags].filter(({ help }) => help !== '');
  return `Usage:\n\n    ${usage}\n\n${summary}.\n\nOptions:\n\n${flags.map(line).join('')}`;
}

function line({ name, value, env = [], default: fallback, help }: Flag): string {
  const usage = `--${name}${value === undefined ? '' : ` <${value}>`}`;
  const more = fallback === undefined || fallback.length > 20 ? '' : ` (default: ${fallback})`;
  const variables = env.map((one) => ` [$${one}]`).join('');
  return `  ${usage.padEnd(30)} ${help}${more}${variables}\n`;
}

/** Returns the help for all subcommands that start with `prefix`. */
function overview(prefix: string): string {
  const lines = allCommands
    .filter(({ name }) => `${name} `.startsWith(prefix))
    .map(({ name, summary }) => `  ${name.padEnd(22)} ${summary}\n`);
  const usage = `buildkite-agent ${prefix}<command> [options...]`;
  return `Usage:\n\n    ${usage}\n\nCommands:\n\n${lines.join('')}\nUse "buildkite-agent <command> --help" for more information about a command.\n`;
}

// Ignores errors: the program that reads the output may exit before this one.
stdout.on('error', () => undefined);

void run(argv.slice(2))
  .catch(report)
  .then((code) => void (process.exitCode = code));
