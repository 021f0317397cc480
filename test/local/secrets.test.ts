/** `local secret`: stored by the service for the steps and jobs of all builds. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { pipelineIn } from '../run/pipelines.ts';
import { cictl } from '../support/cli.ts';
import { useHome } from '../support/home.ts';
import { cictlInTerminal, hasTerminal } from '../support/pty.ts';

async function useSecrets() {
  const home = await useHome();
  onTestFinished(() => cictl(['local', 'down'], { home }).then(() => undefined));
  const secret = (args: readonly string[], stdin = '') =>
    cictl(['local', 'secret', ...args], { home, stdin });
  return { home, secret, run: (...args: string[]) => cictl(['run', 'demo', ...args], { home }) };
}

const asking = `
steps:
  - label: use
    command: '[ "$$NPM_TOKEN" = correct-horse ] && echo "has $$NPM_TOKEN" && buildkite-agent secret get other_one | wc -l'
    secrets: [NPM_TOKEN]
`;

test('a step gets stored secrets, a job requests its own, and no output has a value', async () => {
  const { home, secret, run } = await useSecrets();
  await pipelineIn(home, 'demo', asking);
  const set = await secret(['set', 'NPM_TOKEN'], 'correct-horse\n');
  expect([set.exitCode, set.stdout]).toEqual([0, '']);
  // Keys have several lines and need their trailing newline.
  await secret(['set', 'OTHER_ONE'], 'first line\nsecond line\n');
  const { exitCode, stdout, stderr } = await run();
  expect(exitCode).toBe(0);
  expect(stdout).toContain('has [REDACTED]');
  expect(stdout).toMatch(/^use \| 2$/m);
  expect(stdout + stderr).not.toContain('correct-horse');

  const list = await secret(['list']);
  expect(list.stdout).toBe('NPM_TOKEN\nOTHER_ONE\n');
  expect((await secret(['list', '--json'])).stdout).not.toContain('horse');
  // Builds do not show the secret either.
  const { stdout: env } = await cictl(['builds', 'view', '1', '--pipeline', 'demo', '--json'], {
    home,
  });
  expect(env).not.toContain('horse');
});

test('a build of the API has it too, and set can replace a value', async () => {
  const { home, secret } = await useSecrets();
  const folder = await pipelineIn(home, 'demo', asking);
  await secret(['set', 'OTHER_ONE'], 'one line');
  await secret(['set', 'npm_token'], 'another');
  await secret(['set', 'NPM_TOKEN'], 'correct-horse');
  expect((await secret(['list'])).stdout).toBe('NPM_TOKEN\nOTHER_ONE\n');
  await cictl(['local', 'up'], { home });
  await cictl(['local', 'pipeline', 'add', folder], { home });
  const create = ['builds', 'create', '--pipeline', 'demo', '--branch', 'main', '--commit', 'HEAD'];
  const made = await cictl([...create, '--message', 'm', '--watch'], { home });
  expect([made.exitCode, made.stderr]).toEqual([0, expect.not.stringContaining('cictl:')]);
});

test('values given to run take precedence', async () => {
  const { home, secret } = await useSecrets();
  await pipelineIn(home, 'demo', "steps: [{ command: '[ $$MINE = given ]', secrets: [MINE] }]");
  await secret(['set', 'MINE'], 'kept');
  const run = ['run', 'demo', '--secret', 'MINE'];
  expect((await cictl(run, { home, env: { MINE: 'given' } })).exitCode).toBe(0);
  expect((await cictl(['run', 'demo'], { home })).exitCode).toBe(1);
});

test('rejects a step that needs a missing secret, and --plan reports it', async () => {
  const { home, secret, run } = await useSecrets();
  await pipelineIn(home, 'demo', asking);
  const plain = await run('--plan');
  expect([plain.exitCode, plain.stderr]).toEqual([
    0,
    expect.stringContaining('needs the secret NPM_TOKEN, which was not provided'),
  ]);
  await secret(['set', 'NPM_TOKEN'], 'correct-horse');
  expect((await run('--plan')).stderr).not.toContain('NPM_TOKEN');
  expect((await secret(['remove', 'NPM_TOKEN'])).exitCode).toBe(0);
  const { exitCode, stdout, stderr } = await run();
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^cictl: The step on line 3 needs the secret NPM_TOKEN.*local secret set/);
  expect(await secret(['remove', 'NPM_TOKEN'])).toMatchObject({
    exitCode: 7,
    stderr: 'cictl: no secret "NPM_TOKEN"\n  try: cictl local secret list\n',
  });
});

test.each([
  [['set', 'A=hush'], 'x', 'must come from standard input'],
  [['set', 'not-a-name'], 'x', 'invalid secret name'],
  [['set', 'EMPTY'], '', 'standard input is empty'],
  [['set', 'EMPTY'], '\n', 'standard input is empty'],
  [['set', 'NUL'], 'a\0b', 'NUL'],
  [['set', 'LONG'], 'x'.repeat(200_000), 'longer than'],
])('%j is rejected with one line', async (args, stdin, text) => {
  const { secret } = await useSecrets();
  const { exitCode, stdout, stderr } = await secret(args, stdin);
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(stderr).toContain(text);
  expect(stderr).not.toContain('hush');
  expect(stderr.trim().split('\n').length).toBeLessThanOrEqual(2);
});

test.skipIf(!hasTerminal)('prompts for it on a terminal, without echo', async () => {
  const { home, run } = await useSecrets();
  await pipelineIn(
    home,
    'demo',
    "steps: [{ command: '[ $$MINE = open-sesame ]', secrets: [MINE] }]",
  );
  const keys = [{ after: 'MINE: ', type: 'open-sesame\r' }];
  const typed = await cictlInTerminal(['local', 'secret', 'set', 'MINE'], { home, keys });
  expect([typed.exitCode, typed.screen]).toEqual([0, expect.stringContaining('set secret MINE')]);
  expect(typed.screen).not.toContain('sesame');
  expect((await run()).exitCode).toBe(0);
});

test('each organization has its own secrets, readable only by its user', async () => {
  const { home, secret } = await useSecrets();
  await cictl(['local', 'org', 'add', 'acme'], { home });
  await secret(['set', 'MINE', '--org', 'acme'], 'of acme');
  expect((await secret(['list'])).stdout).toBe('');
  expect((await secret(['list', '--org', 'acme'])).stdout).toBe('MINE\n');
  const names = (await readdir(home.dataDir)).filter((name) => /^service\.db/.test(name));
  expect(names).toContain('service.db');
  for (const name of names) expect((await stat(join(home.dataDir, name))).mode & 0o777).toBe(0o600);
});
