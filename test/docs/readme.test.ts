/** Every command of the README, typed from the clone in its order by a user with an empty HOME. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHome, type Home } from '../support/home.ts';
import { withPrograms } from '../support/on-path.ts';

const top = join(import.meta.dirname, '../..');
const readme = await readFile(join(top, 'README.md'), 'utf8');

/** Blocks that a shell runs, by the heading above them. */
const blocks = readme
  .split(/^## /m)
  .flatMap((section) =>
    [...section.matchAll(/^```sh\n(.*?)^```/gms)].map(([, text = '']) => ({
      heading: section.split('\n')[0] ?? '',
      lines: text.split('\n').filter((line) => /^(?:cictl|echo|\(eval) /.test(line)),
    })),
  )
  .filter(({ lines }) => lines.length > 0);

/**
 * They need an account at a hosted service, or real agents: `test/config` tries the first against one of our own, and
 * `more-machines.test.ts` the second where there are any.
 */
const elsewhere = ['Profiles', 'More machines'];

let home: Home;
let env: Record<string, string>;

beforeAll(async () => {
  home = await createHome();
  env = await withPrograms(home);
});

afterAll(async () => {
  await type('cictl local down');
  await home.remove();
});

test('has blocks to type', () => {
  expect(blocks.map(({ heading }) => heading)).toEqual([
    'A tour in sixty seconds',
    'A tour in sixty seconds',
    'Profiles',
    'Output and scripting',
    'Output and scripting',
    'Running pipelines on this machine',
    'More machines',
  ]);
});

test('in the tour each line that asks a service names its profile', () => {
  const tour = blocks.filter(({ heading }) => heading.startsWith('A tour'));
  const asking = tour
    .flatMap(({ lines }) => lines)
    .filter((line) => !/^cictl (?:local|run) /.test(line));
  expect(asking.length).toBeGreaterThan(9);
  expect(asking.filter((line) => !/ --profile local(?= |$)/.test(line))).toEqual([]);
});

test('a shell that looks like the inside of a job is over at once', () => {
  expect(readme.match(/^.*\beval "\$\(cictl job env.*$/gm)).toEqual([
    expect.stringMatching(/^\(.*\)$/),
  ]);
});

test('works as printed', async () => {
  const typed = blocks.filter(({ heading }) => !elsewhere.includes(heading));
  await writeFile(join(home.cwd, 'build.json'), '{"commit":"HEAD","branch":"main"}');
  for (const { heading, lines } of typed) {
    const scripting = heading === 'Output and scripting';
    if (scripting) await type('cictl local up');
    for (const line of lines) {
      const { exitCode, stderr } = await type(line, scripting ? home.cwd : top);
      expect(exitCode, `${line}\n${stderr}`).toBe(0);
    }
  }
});

/** Types a line into a shell; every part of a pipe counts. */
const type = (line: string, cwd = top) =>
  execa('bash', ['-o', 'pipefail', '-c', line], { cwd, env, extendEnv: false, reject: false });
