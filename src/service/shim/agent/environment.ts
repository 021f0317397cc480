import { env } from 'node:process';
import { AgentError, type Command, type Flag, type Given } from './command.ts';
import { changeEnvironment, readAssignments, readNames } from './change-environment.ts';
import { asJson, formatOf, sorted } from './formats.ts';
import { ask } from './send.ts';
import { print } from './speak.ts';

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
