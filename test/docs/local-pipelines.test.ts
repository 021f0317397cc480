/** `docs/local-pipelines.md` names each construct, flag and subcommand that there is, and is right about what is refused. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { flagName } from '../../src/command/command.ts';
import { runCommand } from '../../src/commands/run/index.ts';
import * as kinds from '../../src/service/pipeline/keys.ts';
import { loadPipeline } from '../../src/service/pipeline/load.ts';
import { allCommands } from '../../src/service/shim/agent/all-commands.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/local-pipelines.md'), 'utf8');
const section = (heading: string): string =>
  page.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? '';
const keysOfKinds = Object.values(kinds).flatMap((kind) =>
  typeof kind === 'object' ? [kind] : [],
);
const missing = (names: readonly string[], text: string): string[] =>
  names.filter((name) => !text.includes(`\`${name}\``) && !text.includes(`\`${name} `));

/** One file for each row of the table, by the words with which the row begins. */
const refused: readonly (readonly [row: string, ...files: string[]])[] = [
  ['an unknown key of a step', 'steps: [{command: a, comand: b}]'],
  ['two kinds in one step', 'steps: [{command: a, wait: ~}]'],
  [
    'a step without a kind, a group',
    'steps: [{label: a}]',
    'steps: [{group: a, steps: [{group: b, steps: [wait]}]}]',
  ],
  ['a key used twice', 'steps: [{command: a, key: x}, {command: b, key: x}]'],
  ['`depends_on` of a key', 'steps: [{command: a, depends_on: x}]'],
  ['dependencies in a circle', 'steps: [{command: a, depends_on: b}, wait, {command: b, key: b}]'],
  ['`parallelism` beside', 'steps: [{command: a, parallelism: 2, matrix: [x]}]'],
  [
    'a matrix over its limits',
    `steps: [{command: a, matrix: [${[...Array(26).keys()].join()}]}]`,
    'steps: [{command: "{{matrix.x}}", matrix: [a]}]',
  ],
  [
    '`concurrency` without',
    'steps: [{command: a, concurrency: 1}]',
    'steps: [{command: a, concurrency_group: x}]',
  ],
  ['`env` of a step', 'steps: [{command: a, env: [A=b]}]'],
  ['`${X?message}`', 'steps: [{command: "${X?is missing}"}]'],
  [
    'a condition',
    'steps: [{command: a, if: build.nothing}]',
    "steps: [{command: a, if: build.number == 'x'}]",
  ],
  ['a key twice', 'steps: [{command: a, command: b}]', 'steps: [wait]\n---\nsteps: [wait]\n'],
  ['more than 64 MiB', `steps: [{parallelism: 10000, command: ${'a'.repeat(10_000)}}]`],
  ['more than 4 MiB', `steps: [{command: ${'a'.repeat(5 << 20)}}]`],
];
/** What the file alone does not show; `test/run` has it. */
const unseen = ['a secret', 'a trigger', 'a plugin'];

const load = (text: string) => () => loadPipeline(text, { file: 'pipeline.yml', env: {} });

test('each key that runs is in the table of what runs', () => {
  const runs = section('What runs');
  const inOther = ['prompt', 'fields', 'blocked_state', 'async', 'build', 'steps'];
  expect(missing(inOther, runs)).toEqual([]);
  expect(
    missing(
      keysOfKinds.flatMap(({ run }) => run),
      runs,
    ),
  ).toEqual([]);
});

test('each key that has no effect is in the table of what is noticed', () => {
  const shown = keysOfKinds.flatMap((kind) => Object.keys(kind.shown));
  expect(shown.length).toBeGreaterThan(5);
  expect(missing(shown, section('What is noticed'))).toEqual([]);
});

test.each(refused)('%s is refused', (_, ...files) => {
  for (const file of files) expect(load(file)).toThrow('the pipeline file');
});

test('each row of what is refused is tried', () => {
  const rows = [...section('What is refused').matchAll(/^\| (?!construct|-)(.*)/gm)].map(
    ([, row = '']) => row,
  );
  const tried = [...refused.map(([row]) => row), ...unseen];
  expect(rows.filter((row) => !tried.some((start) => row.startsWith(start)))).toEqual([]);
  expect(rows.length).toBe(tried.length);
});

test('each flag of run is on the page', () => {
  const flags = Object.keys(runCommand.options).map((key) => `--${flagName(key)}`);
  const part = section('Flags of run');
  expect(flags.filter((flag) => !new RegExp(`${flag}(?![\\w-])`).test(part))).toEqual([]);
});

test('each subcommand of buildkite-agent is on the page', () => {
  const cells = [...section('buildkite-agent').matchAll(/^\| (`.*?) +\|/gm)];
  const named = cells.flatMap(([, cell = '']) => subcommandsIn(cell));
  const isNamed = (name: string): boolean =>
    named.some((words) => `${words} `.startsWith(`${name} `));
  expect(allCommands.map(({ name }) => name).filter((name) => !isNamed(name))).toEqual([]);
});

/** Those of one group stand in one cell: `env get`, `set`. */
function subcommandsIn(cell: string): string[] {
  const words = [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text);
  const group = words[0]?.split(' ')[0] ?? '';
  return words.flatMap((text) => [text, `${group} ${text}`]);
}
