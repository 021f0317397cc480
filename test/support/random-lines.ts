/** Generates random command lines from the command definitions: valid ones and absurd ones. */
import type { Command, Option } from '../../src/command/command.ts';
import { flagName } from '../../src/command/command.ts';
import { globalOptions } from '../../src/cli/globals.ts';
import { entries } from '../../src/cli/tree.ts';

/** A random number from 0 to `below - 1`. The same seed gives the same numbers. */
export type Random = (below: number) => number;

export function randomOf(seed: number): Random {
  let state = seed % 2_147_483_647 || 1;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

export interface LineOptions {
  readonly random: Random;
  /** The URL of the service on loopback. Other URLs may only be tried if nothing listens there. */
  readonly url: string;
  /** Excludes commands that would start programs on this machine. */
  readonly wanted?: (command: Command) => boolean;
  /** Flags that are never used. */
  readonly without?: readonly string[];
}

export function randomLine(options: LineOptions): string[] {
  const { random, wanted = () => true } = options;
  const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T;
  const chance = (percent: number): boolean => random(100) < percent;
  const { command } = pick(entries.filter((entry) => wanted(entry.command)));
  const text = (): string => pick(texts(options.url));

  const flags = Array.from({ length: pick([0, 0, 1, 1, 2, 3, 5]) }, () => {
    const own = Object.entries<Option>(command.options);
    const all = Object.entries<Option>(globalOptions);
    const known = own.length > 0 && chance(60) ? own : all;
    const [key, option] = pick(known.filter(([name]) => options.without?.includes(name) !== true));
    const name =
      option.short !== undefined && chance(40) ? `-${option.short}` : `--${flagName(key)}`;
    if (option.value === undefined) return chance(4) ? [`${name}=x`] : [name];
    if (chance(3)) return [name];
    const value = chance(15) ? text() : valueOf(key, option, options, pick);
    return name.startsWith('--') && chance(30) ? [`${name}=${value}`] : [name, value];
  });
  const words = command.name.split(' ').map((word) => (chance(1) ? text() : word));
  const values = Object.entries(command.arguments).flatMap(([key, argument]) => {
    if (argument.required !== true && chance(40)) return [];
    const one = (): string => {
      if (argument.choices && chance(90)) return pick(argument.choices);
      return chance(75) ? pick(sensible[key] ?? texts(options.url)) : text();
    };
    return Array.from({ length: argument.variadic ? random(4) : 1 }, one);
  });
  const rest = command.passThrough && chance(30) ? ['--', pick(programs), ...values] : [];
  const parts = [...flags, ...values.map((value) => [value])];
  const tail = chance(50) ? parts : shuffled(parts, random);
  const line = chance(10) ? [...tail.flat(), ...words] : [...words, ...tail.flat()];
  if (chance(4))
    line.splice(random(line.length + 1), 0, pick(['--', '-', '--nothing', '-z', text()]));
  if (chance(3)) line.pop();
  return [...line, ...rest].filter((word) => !word.includes('\0') && !forbidden.test(word));
}

/** Never touches other systems: no service except the one on loopback, no browser. */
const forbidden = /^(?:buildkite)$/;

/** Plausible values for arguments and flags with these names. */
const sensible: Readonly<Record<string, readonly string[]>> = {
  build: ['1', 'latest', 'web/1', 'acme/web/latest'],
  job: ['1#lint', '1#Lint', 'web/latest#lint', 'acme/web/1#018f5a3e-1111-4222-8333-944445555666'],
  target: ['web', 'acme/web', 'acme'],
  uuid: ['018f5a3e-1111-4222-8333-944445555666'],
  path: ['organizations', '/v2/organizations/acme', 'organizations/acme/pipelines/web/builds'],
  query: ['{ viewer { id } }', 'query($a: String) { x }', '-'],
  body: ['# Done', '-', '{"a":1}'],
  context: ['note'],
  name: ['one', 'two'],
  key: ['org', 'pipeline', 'output', 'base-url'],
  value: ['acme', 'web', 'json', '{"a":1}'],
  org: ['acme'],
  pipeline: ['web'],
  topic: ['builds', 'exit-codes', 'flags'],
  fields: ['id', 'state', 'id,web_url', 'number', 'name'],
  field: ['k=v', 'k='],
  typedField: ['k=1', 'k=true', 'k=@-'],
  metaData: ['k=v'],
  env: ['K=V', 'HOME'],
  header: ['X-A: b'],
  createdFrom: ['7d', '2026-01-01'],
  createdTo: ['yesterday'],
  finishedFrom: ['7d'],
  method: ['GET', 'POST', 'DELETE', 'HEAD', 'PATCH'],
  variables: ['{"a":1}', '@-'],
  author: ['Ada <ada@example.com>'],
  out: ['out.txt'],
  grep: ['line', '^a', 'x'],
  commit: ['HEAD', 'a'.repeat(40)],
  branch: ['main'],
  profile: ['one'],
  type: ['pipeline.trigger_build.pipeline'],
  source: ['web'],
  dir: ['.', 'missing'],
  slug: ['web', 'other'],
  settings: ['default_branch=main', 'branch_configuration=main !wip', 'nothing=1'],
  glob: ['*', '**/*.txt', '{a,b}'],
  user: ['Local user', 'ada@example.com'],
  email: ['ada@example.com'],
  scope: ['read_builds', 'write_builds', 'nothing'],
  creator: ['me', '018f5a3e-1111-4222-8333-944445555666'],
};

const programs = ['true', 'false', '/no/such/program', ''];

function valueOf(
  key: string,
  option: Option,
  { url }: LineOptions,
  pick: <T>(list: readonly T[]) => T,
): string {
  if (option.value === undefined) return '';
  if (/^(?:baseUrl|agentUrl|graphqlUrl|service)$/.test(key)) {
    return pick([
      url,
      url,
      `${url}/`,
      'nowhere',
      '',
      'ftp://127.0.0.1',
      'http://a:bcdefgh@127.0.0.1',
    ]);
  }
  if (key === 'listen') return pick(['x', '99999', '-1', '1.2.3.4.5:1', '']);
  if (key === 'jq') return pick(programsOfJq);
  if (option.choices !== undefined) return pick([...option.choices, 'PASSED', 'nothing']);
  if (option.type === 'integer')
    return pick(['1', '3', '0', '-1', '10', '1e3', '99999999999999', '٣']);
  if (option.type === 'duration')
    return pick(['1s', '0', '5m', '30d', '250ms', '-1s', 'soon', '1e9']);
  return pick(sensible[key] ?? texts(url));
}

const programsOfJq = [
  '.',
  '.[0]',
  '.[]',
  '.a.b',
  '(',
  'error("x")',
  'input',
  '.[] | .id',
  'halt',
  '"\\(.)"',
  '',
];

const uuid = '018f5a3e-1111-4222-8333-944445555666';

const texts = (url: string): readonly string[] => [
  ...['1', '7', '0', 'latest', 'web/1', 'acme/web/1', 'acme/web/latest', 'web', 'acme/web', 'acme'],
  ...['1#lint', '1#', '#', `acme/web/1#${uuid}`, uuid, 'web/1#no such job', 'lint', 'acme/web/99'],
  ...[
    `${url}/acme/web/builds/1`,
    `${url}/acme/web/builds/1#${uuid}`,
    `${url}/v2/organizations/acme`,
  ],
  ...['', ' ', '-', '.', '..', '../x', 'a/b/c/d', '/', '//', '%2e%2e', '%ZZ', '?', 'a b', "it's"],
  ...[
    '\u202ex',
    '\u001b[31mred',
    'ü',
    '💥',
    '\ud83d',
    'a\nb',
    'x'.repeat(5000),
    '-5',
    '- x',
    '--',
    '\u200b',
  ],
  ...[
    'k=v',
    'k=',
    '=v',
    '=',
    'k',
    'K=1',
    '{"a":1}',
    '{',
    '[]',
    'null',
    '@-',
    '@missing',
    '@.',
    '@',
  ],
  ...['2026-01-01', '7d', 'yesterday', 'never', '1h30m', '-1d', '9999999999d', '2026-13-45T99:99'],
  ...['true', '1.5', '1e999', '99999999999999999999', 'id', 'state,number', 'jobs.id', '__proto__'],
  ...[
    'Ada <ada@example.com>',
    '<>',
    '{ viewer { id } }',
    'query($endCursor: String) { a }',
    'out.txt',
  ],
  ...[
    'organizations',
    'organizations/acme',
    '/v2/user',
    'constructor',
    'toString',
    '(',
    '[',
    '*',
    '\\',
  ],
];

function shuffled<T>(list: readonly T[], random: Random): T[] {
  const left = [...list];
  return list.map(() => left.splice(random(left.length), 1)[0] as T);
}
