/** Pipeline files that would take too long to parse or need too much memory. */
import { truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cictl } from '../support/cli.ts';
import { useHome } from '../support/home.ts';

const letters = Array.from({ length: 12 }, (_, at) => String.fromCharCode(98 + at));
const multiplied = (one: string, use: (letter: string) => string): string =>
  [
    one,
    ...letters.map((name, at) => `${name}: &${name} ${use(String.fromCharCode(97 + at))}`),
  ].join('\n');
const nine = (letter: string): string => `[${Array(9).fill(`*${letter}`).join(', ')}]`;
const indented = (levels: number): string =>
  Array.from({ length: levels }, (_, at) => `${' '.repeat(at)}a:`).join('\n');

test.each([
  ['lists in lists', `steps: ${'['.repeat(2000)}${']'.repeat(2000)}`, '64 levels'],
  ['dashes', `steps:\n${'- '.repeat(2000)}x`, '64 levels'],
  ['indentation', indented(400), '64 levels'],
  ['more indentation than the stack bears', `${indented(1200)}\nb: 1`, '64 levels'],
  [
    'indented dashes',
    Array.from({ length: 20 }, (_, at) => ' '.repeat(at * 120) + '- '.repeat(60)).join('\n'),
    '64 levels',
  ],
  ['aliases of aliases', `${multiplied('a: &a [lol]', nine)}\nsteps: *m`, '500000 values'],
  [
    'merges of merges',
    `${multiplied('a: &a {x: 1}', (a) => `{<<: ${nine(a)}}`)}\nsteps: []`,
    '500000 values',
  ],
  ['100 MB', `steps:\n${'- command: a line like any other\n'.repeat(3_200_000)}`, '4 MiB'],
])('%s exit with 2 and one line with one problem', async (_, text, why) => {
  const home = await useHome();
  await writeFile(join(home.cwd, 'pipeline.yml'), text);
  const { exitCode, stdout, stderr } = await cictl(['run', 'pipeline.yml'], { home });
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(stderr.trim().split('\n')).toEqual([expect.stringContaining(why)]);
  expect(stderr).toContain('has a problem (');
});

test('5 GB exit with 2 after reading only the start', async () => {
  const home = await useHome();
  await writeFile(join(home.cwd, 'pipeline.yml'), '# a hole follows');
  await truncate(join(home.cwd, 'pipeline.yml'), 5e9);
  const { exitCode, stdout, stderr } = await cictl(['run', 'pipeline.yml'], { home });
  expect([exitCode, stdout, stderr]).toEqual([
    2,
    '',
    'cictl: the pipeline file pipeline.yml has a problem (pipeline.yml:1:1: the file is larger than 4 MiB)\n',
  ]);
});
