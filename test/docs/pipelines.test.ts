/** Checks that docs/pipelines.md and docs/run.md name every key, flag and subcommand, and are right about rejected files. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { flagName } from '../../src/command/command.ts';
import { runCommand } from '../../src/commands/run/index.ts';
import * as kinds from '../../src/service/pipeline/keys.ts';
import { loadPipeline } from '../../src/service/pipeline/load.ts';
import { allCommands } from '../../src/service/shim/agent/all-commands.ts';

const read = (name: string): string =>
  readFileSync(join(import.meta.dirname, `../../docs/${name}`), 'utf8');
const page = read('pipelines.md');
const section = (heading: string): string =>
  page.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? '';
const keysOfKinds = Object.values(kinds).flatMap((kind) =>
  typeof kind === 'object' ? [kind] : [],
);
const missing = (names: readonly string[], text: string): string[] =>
  names.filter((name) => !text.includes(`\`${name}\``) && !text.includes(`\`${name} `));

/** One or more files for each row of the table, by the first words of the row. */
const rejected: readonly (readonly [row: string, ...files: string[]])[] = [
  ['an unknown key in a step', 'steps: [{command: a, comand: b}]'],
  ['two types in one step', 'steps: [{command: a, wait: ~}]'],
  [
    'a step without a type, or a group inside',
    'steps: [{label: a}]',
    'steps: [{group: a, steps: [{group: b, steps: [wait]}]}]',
  ],
  ['two steps with the same `key`', 'steps: [{command: a, key: x}, {command: b, key: x}]'],
  ['`depends_on` with a key', 'steps: [{command: a, depends_on: x}]'],
  ['circular dependencies', 'steps: [{command: a, depends_on: b}, wait, {command: b, key: b}]'],
  ['both `parallelism`', 'steps: [{command: a, parallelism: 2, matrix: [x]}]'],
  [
    'a matrix that exceeds its limits',
    `steps: [{command: a, matrix: [${[...Array(26).keys()].join()}]}]`,
    'steps: [{command: "{{matrix.x}}", matrix: [a]}]',
  ],
  [
    '`concurrency` without',
    'steps: [{command: a, concurrency: 1}]',
    'steps: [{command: a, concurrency_group: x}]',
  ],
  ["a step's `env`", 'steps: [{command: a, env: [A=b]}]'],
  ['`${X?message}`', 'steps: [{command: "${X?is missing}"}]'],
  [
    'a condition',
    'steps: [{command: a, if: build.nothing}]',
    "steps: [{command: a, if: build.number == 'x'}]",
  ],
  ['a duplicate key', 'steps: [{command: a, command: b}]', 'steps: [wait]\n---\nsteps: [wait]\n'],
  [
    'jobs that expand to more than 64 MiB',
    `steps: [{parallelism: 10000, command: ${'a'.repeat(10_000)}}]`,
  ],
  ['more than 4 MiB', `steps: [{command: ${'a'.repeat(5 << 20)}}]`],
];
/** Rows that depend on more than the file; `test/run` covers them. */
const unseen = ['a secret', 'a trigger', 'a plugin'];

const load = (text: string) => () => loadPipeline(text, { file: 'pipeline.yml', env: {} });

test('the page lists each supported key', () => {
  const runs = section('Supported keys');
  const inOther = ['prompt', 'fields', 'blocked_state', 'async', 'build', 'steps'];
  expect(missing(inOther, runs)).toEqual([]);
  expect(
    missing(
      keysOfKinds.flatMap(({ run }) => run),
      runs,
    ),
  ).toEqual([]);
});

test('the page lists each ignored key', () => {
  const shown = keysOfKinds.flatMap((kind) => Object.keys(kind.shown));
  expect(shown.length).toBeGreaterThan(5);
  expect(missing(shown, section('Ignored keys'))).toEqual([]);
});

test.each(rejected)('rejects %s', (_, ...files) => {
  for (const file of files) expect(load(file)).toThrow('the pipeline file');
});

test('tries each row of the rejected files', () => {
  const rows = [...section('Rejected files').matchAll(/^\| (?!problem|-)(.*)/gm)].map(
    ([, row = '']) => row,
  );
  const tried = [...rejected.map(([row]) => row), ...unseen];
  expect(rows.filter((row) => !tried.some((start) => row.startsWith(start)))).toEqual([]);
  expect(rows.length).toBe(tried.length);
});

test('docs/run.md lists each flag of run', () => {
  const flags = Object.keys(runCommand.options).map((key) => `--${flagName(key)}`);
  const runPage = read('run.md');
  expect(flags.filter((flag) => !new RegExp(`${flag}(?![\\w-])`).test(runPage))).toEqual([]);
});

test('the page lists each subcommand of buildkite-agent', () => {
  const cells = [...section('buildkite-agent').matchAll(/^\| (`.*?) +\|/gm)];
  const named = cells.flatMap(([, cell = '']) => subcommandsIn(cell));
  const isNamed = (name: string): boolean =>
    named.some((words) => `${words} `.startsWith(`${name} `));
  expect(allCommands.map(({ name }) => name).filter((name) => !isNamed(name))).toEqual([]);
});

/** Subcommands of one group share a cell: `env get`, `set`. */
function subcommandsIn(cell: string): string[] {
  const words = [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text);
  const group = words[0]?.split(' ')[0] ?? '';
  return words.flatMap((text) => [text, `${group} ${text}`]);
}
