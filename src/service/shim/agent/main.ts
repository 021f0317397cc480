/**
 * `buildkite-agent` as the jobs of the built-in service find it on PATH: the subcommands that scripts call,
 * with the flags and exit codes of the public one.
 */
import { argv, env, stderr, stdout } from 'node:process';
import { allCommands } from './all-commands.ts';
import { AgentError, type Command, type Flag, type Given, commonFlags } from './command.ts';

/** What `--version` says: the public agent whose subcommands, flags and exit codes these are. */
const version = '3.90.0';

async function run(words: readonly string[]): Promise<number> {
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

const isSwitch = /^(?:1|0|t|f|true|false)$/i;

const missingError = ({ name }: Command, what: string): AgentError =>
  new AgentError(`Missing ${what}. See: \`buildkite-agent ${name} --help\``, { isFatal: false });

void run(argv.slice(2))
  .catch(report)
  .then((code) => void (process.exitCode = code));

// Reads a command line as Go programs do: flags with one or two dashes, anywhere before `--`.

type Variables = Readonly<Record<string, string | undefined>>;

/** Throws `AgentError` for an unknown flag, a value that is missing, or an argument that is. */
function parse(command: Command, words: readonly string[], env: Variables): Given {
  const flags = [...command.flags, ...commonFlags];
  const values = new Map<string, string>();
  const args: string[] = [];
  const rest = [...words];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === '--') args.push(...rest.splice(0));
    else if (/^--?[^-]/.test(word)) readFlag(flags, word, rest, values);
    else args.push(word);
  }
  checkArguments(command, args);
  const given = givenBy(flags, values, args, env);
  const missing = flags.find(({ name, isNeeded }) => isNeeded === true && given.text(name) === '');
  if (missing !== undefined) throw missingError(command, missing.name);
  return given;
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

function checkArguments(command: Command, args: readonly string[]): void {
  const missing = command.needs?.find((_, index) => !args[index]);
  if (missing !== undefined) throw missingError(command, missing);
}

function givenBy(
  flags: readonly Flag[],
  values: ReadonlyMap<string, string>,
  args: readonly string[],
  env: Variables,
): Given {
  const find = (name: string): string | undefined => {
    const { env: names = [] } = flags.find((one) => one.name === name) ?? {};
    // An empty variable counts as none.
    return values.get(name) ?? names.map((one) => env[one]).find(Boolean);
  };
  const fallback = (name: string): string =>
    flags.find((flag) => flag.name === name)?.default ?? '';
  return {
    args,
    text: (name) => find(name) ?? fallback(name),
    has: (name) => find(name) !== undefined,
    on: (name) => isOn.test(find(name) ?? ''),
  };
}

/** The help of one subcommand. */
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

/** All subcommands that begin with these words. */
function overview(commands: readonly Command[], words: readonly string[]): string {
  const prefix = words.map((word) => `${word} `).join('');
  const lines = commands
    .filter(({ name }) => `${name} `.startsWith(prefix))
    .map(({ name, summary }) => `  ${name.padEnd(22)} ${summary}\n`);
  const usage = `buildkite-agent ${prefix}<command> [options...]`;
  return `Usage:\n\n    ${usage}\n\nCommands:\n\n${lines.join('')}\nUse "buildkite-agent <command> --help" for more about a command.\n`;
}
