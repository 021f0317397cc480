import { env } from 'node:process';
import { AgentError, type Command, type Flag, type Given } from './command.ts';
import { asJson, formatOf, sorted, print, readInput } from './print.ts';
import { ask } from './send.ts';

const formatFlag = (name: string, env: string, choices: string, help: string): Flag => ({
  ...{ name, value: choices, env: [env], default: choices.split(', ')[0] ?? '', help },
});

/** The environment that the next hook or command of the job gets. */
export const environmentCommands: readonly Command[] = [
  {
    name: 'env get',
    summary: 'Print variables of the job as the next hook or command gets them',
    args: '[variable]...',
    flags: [
      formatFlag('format', 'BUILDKITE_AGENT_ENV_GET_FORMAT', 'plain, json, json-pretty', 'Output'),
    ],
    run: get,
  },
  {
    name: 'env set',
    summary: 'Set variables for what comes after in the job; `-` reads them from standard input',
    args: '<name=value>...',
    flags: changeFlags('SET'),
    run: (given) => changeEnvironment(given, readAssignments),
  },
  {
    name: 'env unset',
    summary: 'Take variables away from what comes after in the job',
    args: '<name>...',
    flags: changeFlags('UNSET'),
    run: (given) => changeEnvironment(given, readNames),
  },
  {
    name: 'env dump',
    summary: 'Print the environment of this process as JSON',
    args: '',
    flags: [formatFlag('format', 'BUILDKITE_AGENT_ENV_DUMP_FORMAT', 'json, json-pretty', 'Output')],
    run(given) {
      const format = formatOf(given, 'format', ['json', 'json-pretty']);
      print(`${asJson(format, sorted(Object.entries(env)))}\n`);
      return Promise.resolve(0);
    },
  },
];

function changeFlags(word: string): Flag[] {
  const name = `BUILDKITE_AGENT_ENV_${word}`;
  return [
    formatFlag('input-format', `${name}_INPUT_FORMAT`, 'plain, json', 'Of standard input'),
    formatFlag(
      'output-format',
      `${name}_OUTPUT_FORMAT`,
      'plain, json, json-pretty, quiet',
      'Of what has changed',
    ),
  ];
}

async function get(given: Given): Promise<number> {
  const format = formatOf(given, 'format', ['plain', 'json', 'json-pretty']);
  const reply = await ask(given, 'could not fetch the job environment variables', {
    ...{ method: 'GET', path: '/local/v1/job/env' },
  });
  const all = new Map(Object.entries((reply as { env: Record<string, string> }).env));
  const missing = given.args.filter((name) => !all.has(name));
  if (missing.length > 0) throw new AgentError(`not set in the job: ${missing.join(', ')}`);
  const names = given.args.length === 0 ? [...all.keys()] : given.args;
  const shown = sorted(names.map((name) => [name, all.get(name) ?? '']));
  if (format !== 'plain') print(`${asJson(format, shown)}\n`);
  else if (given.args.length === 1) print(`${all.get(names[0] ?? '') ?? ''}\n`);
  else
    print(
      Object.entries(shown)
        .map(([name, value]) => `${name}=${value}\n`)
        .join(''),
    );
  return 0;
}

interface Change {
  readonly set?: Readonly<Record<string, string>>;
  readonly unset?: readonly string[];
}

interface Changed {
  readonly added: readonly string[];
  readonly updated: readonly string[];
  readonly unset: readonly string[];
}

/** What the words, or the JSON of standard input, ask for. Throws `AgentError`. */
type Read = (input: readonly string[] | { readonly json: unknown }) => Change;

/** Changes variables of the job and prints which. */
async function changeEnvironment(given: Given, read: Read): Promise<number> {
  const output = formatOf(given, 'output-format', ['plain', 'json', 'json-pretty', 'quiet']);
  const body = read(await inputOf(given));
  const call = { method: 'PATCH', path: '/local/v1/job/env', body } as const;
  const reply = await ask(given, 'could not change the job environment variables', call);
  const { added, updated, unset } = reply as Changed;
  const shown = body.set === undefined ? { unset } : { added, updated };
  if (output === 'plain') print(plain({ added, updated, unset }));
  else if (output !== 'quiet') print(`${asJson(output, shown)}\n`);
  return 0;
}

/** A word `-` is standard input. */
async function inputOf(given: Given): Promise<readonly string[] | { readonly json: unknown }> {
  const isJson = formatOf(given, 'input-format', ['plain', 'json']) === 'json';
  if (!given.args.includes('-')) return given.args;
  const text = await readInput();
  if (!isJson) return text.split('\n').filter((line) => line.trim() !== '');
  try {
    return { json: JSON.parse(text) as unknown };
  } catch {
    throw new AgentError('standard input is no JSON');
  }
}

const readAssignments: Read = (input) => {
  if ('json' in input) {
    const { json } = input;
    if (!isTexts(json)) throw new AgentError('standard input must be a JSON object of texts');
    return { set: json };
  }
  return { set: Object.fromEntries(input.map(pairOf)) };
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

const plain = ({ added, updated, unset }: Changed): string =>
  part('Added:', '+', added) + part('Updated:', '~', updated) + part('Unset:', '-', unset);

const part = (title: string, mark: string, names: readonly string[]): string =>
  names.length === 0 ? '' : `${title}\n${names.map((name) => `${mark} ${name}\n`).join('')}`;
