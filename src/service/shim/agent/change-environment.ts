import { AgentError, type Given } from './command.ts';
import { asJson, formatOf } from './formats.ts';
import { ask } from './send.ts';
import { print, readInput } from './speak.ts';

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
export async function changeEnvironment(given: Given, read: Read): Promise<number> {
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

export const readAssignments: Read = (input) => {
  if ('json' in input) {
    const { json } = input;
    if (!isTexts(json)) throw new AgentError('standard input must be a JSON object of texts');
    return { set: json };
  }
  return { set: Object.fromEntries(input.map(pairOf)) };
};

export const readNames: Read = (input) => {
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
