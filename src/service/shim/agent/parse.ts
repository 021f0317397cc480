/** Reads a command line as Go programs do: flags with one or two dashes, anywhere before `--`. */
import { AgentError, type Command, type Flag, type Given } from './command.ts';
import { commonFlags } from './flags.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** Throws `AgentError` for an unknown flag, a value that is missing, or an argument that is. */
export function parse(command: Command, words: readonly string[], env: Variables): Given {
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

const isSwitch = /^(?:1|0|t|f|true|false)$/i;
const isOn = /^(?:1|t|true)$/i;

function checkArguments(command: Command, args: readonly string[]): void {
  const missing = command.needs?.find((_, index) => !args[index]);
  if (missing !== undefined) throw missingError(command, missing);
}

const missingError = ({ name }: Command, what: string): AgentError =>
  new AgentError(`Missing ${what}. See: \`buildkite-agent ${name} --help\``, { isFatal: false });

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
