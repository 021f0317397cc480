/** Secrets, the host's variables and the terminal in jobs of `cictl run`. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cictl, type CliOptions } from '../support/cli.ts';
import { useHome, type Home } from '../support/home.ts';
import { pipelineIn } from './pipelines.ts';

async function run(yaml: string, args: readonly string[], options: CliOptions = {}) {
  const home = options.home ?? (await useHome());
  await pipelineIn(home, 'demo', yaml);
  return cictl(['run', 'demo', ...args], { ...options, home });
}

const env = { MINE: 'mine' };

test("a step's variable overrides the host's", async () => {
  const yaml = `steps: [{ label: p, env: { MINE: step }, command: 'echo "$$MINE"' }]`;
  expect((await run(yaml, ['--inherit-env'], { env })).stdout).toContain('p | step\n');
});

test("with the whole environment, the job's own commands come first in PATH", async () => {
  const yaml = `steps: [{ label: p, command: 'command -v cictl' }]`;
  const { stdout } = await run(yaml, ['--inherit-env']);
  expect(stdout).toMatch(/^p \| .*\/data\/bin\/cictl$/m);
});

test('no log contains a secret from the whole environment', async () => {
  const yaml = `steps: [{ label: p, command: 'echo "<$$MY_TOKEN>"' }]`;
  const { stdout } = await run(yaml, ['--inherit-env'], { env: { MY_TOKEN: 'hunter22' } });
  expect(stdout).toContain('p | <[REDACTED]>\n');
});

test.each([
  [[], 'a terminal'],
  [['--no-tty'], 'a pipe'],
])('standard output of a job with %j is %s', async (args, what) => {
  const yaml = `steps: [{ label: p, command: 'if [ -t 1 ]; then echo a terminal; else echo a pipe; fi' }]`;
  expect((await run(yaml, args)).stdout).toContain(`p | ${what}`);
});

const deploy = `
steps:
  - { label: first, command: touch ran }
  - label: deploy
    secrets: [DEPLOY_TOKEN]
    command: 'echo "$\${#DEPLOY_TOKEN} $$DEPLOY_TOKEN"'
`;

test('rejects a missing secret of a step before anything runs', async () => {
  const { stdout, stderr, exitCode } = await run(deploy, []);
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(stderr).toContain('--secret DEPLOY_TOKEN');
});

async function withSecretFile(): Promise<Home> {
  const home = await useHome();
  await writeFile(join(home.cwd, 'secrets.env'), 'export DEPLOY_TOKEN="from a file"\n');
  return home;
}

test.each([
  [['--secret-file', 'secrets.env'], 11],
  [['--secret', 'DEPLOY_TOKEN'], 9],
  [['--secret-file', 'secrets.env', '--secret', 'DEPLOY_TOKEN'], 9],
])('the secret of %j reaches its job, but no log', async (args, length) => {
  const home = await withSecretFile();
  const { stdout, stderr } = await run(deploy, args, { home, env: { DEPLOY_TOKEN: 'from here' } });
  expect(stdout, stderr).toContain(`deploy | ${length} [REDACTED]\n`);
  expect(stdout + stderr).not.toMatch(/from a file|from here/);
});
