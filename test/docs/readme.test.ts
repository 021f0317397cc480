/** Runs every command of the README from the clone, in order, as a user with an empty HOME. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHome, type Home } from '../support/home.ts';
import { withPrograms } from '../support/on-path.ts';
import { scriptOf, shellBlocks } from './shell-blocks.ts';

const top = join(import.meta.dirname, '../..');
const readme = await readFile(join(top, 'README.md'), 'utf8');
const blocks = shellBlocks(readme);

let home: Home;
let env: Record<string, string>;

beforeAll(async () => {
  home = await createHome();
  env = await withPrograms(home);
});

afterAll(async () => {
  await bash('cictl local down');
  await home.remove();
});

test('takes a minute to read', () => {
  expect(readme.split('\n').length).toBeLessThan(120);
  expect(blocks).toHaveLength(5);
});

test('the npm commands are those that other tests run', () => {
  const typed = readme.match(/^(?:npm|npx) .*?(?= +#|$)/gm);
  expect(typed).toEqual([
    // test/package/global-install.test.ts
    'npm ci && npm pack',
    'npx ./cictl-0.1.0.tgz --version',
    'npm install --global ./cictl-0.1.0.tgz',
    'npm test',
    'npm run lint && npm run types',
  ]);
});

test('the commands work as printed', async () => {
  for (const block of blocks.filter((text) => !text.startsWith('npm'))) {
    const { stdout: url } = await bash('cictl profile view local --jq .baseUrl');
    const { stdout: token } = await bash('cictl local token create');
    // Where the README logs in to a hosted service, the built-in one has to do.
    const script = scriptOf(block).replaceAll('--service buildkite', `--service ${url}`);
    const { exitCode, stdout, stderr } = await bash(`TOKEN=${token}\n${script}`);
    expect(exitCode, `${block}\n${stdout}\n${stderr}`).toBe(0);
  }
});

test('the README shows what builds failures prints', async () => {
  const [, shown = ''] =
    /^\$ cictl builds failures failing\/1\n.*?\n(.*?)^```/ms.exec(readme) ?? [];
  await bash('cictl local up');
  const { stdout } = await bash('cictl builds failures failing/1 -o table');
  const printed = withoutTimes(stdout).split('\n');
  const lines = shown.split('\n').filter((line) => !line.includes('…'));
  expect(lines.length).toBeGreaterThan(5);
  expect(printed).toEqual(expect.arrayContaining(lines.map(withoutTimes)));
});

const withoutTimes = (text: string): string => text.replaceAll(/\b[\d.]+s\b/g, '0s');

const bash = (script: string) =>
  execa('bash', ['-c', script], { cwd: top, env, extendEnv: false, reject: false });
