import { env } from 'node:process';
import { AgentError, type Command, type Flag, type Given } from './command.ts';
import { asJson, formatOf, sorted, print, readInput } from './print.ts';
import { ask } from './send.ts';

const formatFlag = (name: string, env: string, choices: string, help: string): Flag => ({
  ...{ name, value: choices, env: [env], default: choices.split(', ')[0] ?? '', help },
});

const outputs = ['plain', 'json', 'json-pretty', 'quiet'] as const;

export const environmentCommands: readonly Command[] = [
  {
    name: 'env get',
    summary: 'Print variables of the job as the next hook or command will see them',
    args: '[variable]...',
    flags: [
      formatFlag(
        'format',
        'BUILDKITE_AGENT_ENV_GET_FORMAT',
        'plain, json, json-pretty',
        'Output format',
      ),
    ],
    run: get,
  },
  {
    name: 'env set',
    summary:
      'Set variables for later hooks and commands of the job; use `-` to read standard input',
    args: '<name=value>...',
    flags: changeFlags('SET'),
    run: (given) => changeEnvironment(given, readAssignments),
  },
  {
    name: 'env unset',
    summary: 'Unset variables for later hooks and commands of the job',
    args: '<name>...',
    flags: changeFlags('UNSET'),
    run: (given) => changeEnvironment(given, readNames),
  },
  {
    name: 'env dump',
    summary: 'Print the environment of this process as JSON',
    args: '',
    flags: [
      formatFlag('format', 'BUILDKITE_AGENT_ENV_DUMP_FORMAT', 'json, json-pretty', 'Output format'),
    ],
    run(given) {
      const format = formatOf(given, 'format', ['json', 'json-pretty']);
      print(`${asJson(format, sorted(Object.entries(env)))}\n`);
      return Promise.resolve(undefined);
    },
  },
];

function changeFlags(word: string): Flag[] {
  const name = `BUILDKITE_AGENT_ENV_${word}`;
  return [
    formatFlag('input-format', `${name}_INPUT_FORMAT`, 'plain, json', 'Format of standard input'),
    formatFlag(
      'output-format',
      `${name}_OUTPUT_FORMAT`,
      outputs.join(', '),
      'Format of the list of changes',
    ),
  ];
}

async function get(given: Given): Promise<undefined> {
  const format = formatOf(given, 'format', ['plain', 'json', 'json-pretty']);
  const call = { method: 'GET', path: '/local/v1/job/env' } as const;
  const reply = await ask(given, 'could not fetch the job environment variables', call);
  const all = new Map(Object.entries((reply as { env: Record<string, string> }).env));
  const missing = given.args.filter((name) => !all.has(name));
  if (missing.length > 0)
    throw new AgentError(`not set in the job environment: ${missing.join(', ')}`);
  const names = given.args.length === 0 ? [...all.keys()] : given.args;
  const shown = sorted(names.map((name) => [name, all.get(name) ?? '']));
  const lines = Object.entries(shown).map(([name, value]) => `${name}=${value}\n`);
  if (format !== 'plain') print(`${asJson(format, shown)}\n`);
  else print(given.args.length === 1 ? `${all.get(names[0] ?? '') ?? ''}\n` : lines.join(''));
}

type Changed = Readonly<Record<'added' | 'updated' | 'unset', readonly string[]>>;

type Input = readonly string[] | { readonly json: unknown };

/** Returns the request body for the arguments or for JSON from standard input. */
type Read = (input: Input) => { set: Record<string, string> } | { unset: readonly string[] };

async function changeEnvironment(given: Given, read: Read): Promise<undefined> {
  const output = formatOf(given, 'output-format', outputs);
  const body = read(await inputOf(given));
  const call = { method: 'PATCH', path: '/local/v1/job/env', body } as const;
  const reply = await ask(given, 'could not change the job environment variables', call);
  const { added, updated, unset } = reply as Changed;
  const shown = 'set' in body ? { added, updated } : { unset };
  if (output === 'plain')
    print(list('Added:', '+', added) + list('Updated:', '~', updated) + list('Unset:', '-', unset));
  else if (output !== 'quiet') print(`${asJson(output, shown)}\n`);
}

const list = (title: string, mark: string, names: readonly string[]): string =>
  names.length === 0 ? '' : `${title}\n${names.map((name) => `${mark} ${name}\n`).join('')}`;

/** If there is an argument `-`, reads standard input instead of the arguments. */
async function inputOf(given: Given): Promise<Input> {
  const isJson = formatOf(given, 'input-format', ['plain', 'json']) === 'json';
  if (!given.args.includes('-')) return given.args;
  const text = await readInput();
  if (!isJson) return text.split('\n').filter((line) => line.trim() !== '');
  try {
    return { json: JSON.parse(text) as unknown };
  } catch {
    throw new AgentError('standard input is not valid JSON');
  }
}

const readAssignments: Read = (input) => {
  if (!('json' in input)) return { set: Object.fromEntries(input.map(pairOf)) };
  const { json } = input;
  if (!isTexts(json))
    throw new AgentError('standard input must be a JSON object with string values');
  return { set: json };
};

const readNames: Read = (input) => {
  const names = 'json' in input ? input.json : input;
  if (!Array.isArray(names) || !names.every((name) => typeof name === 'string'))
    throw new AgentError('standard input must be a JSON array of names');
  return { unset: names };
};

const isTexts = (value: unknown): value is Record<string, string> =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every((one) => typeof one === 'string');

function pairOf(word: string): [string, string] {
  const at = word.indexOf('=');
  if (at <= 0) throw new AgentError(`"${word}" is not in NAME=value format`);
  return [word.slice(0, at), word.slice(at + 1)];
}
