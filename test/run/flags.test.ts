/** The flags of `cictl run` that control how jobs run. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cictl, type CliOptions } from '../support/cli.ts';
import { useHome } from '../support/home.ts';
import { makeCheckout } from './checkout.ts';
import { logLines } from './output.ts';
import { pipelineIn } from './pipelines.ts';

async function run(yaml: string, args: readonly string[], options: CliOptions = {}) {
  const home = options.home ?? (await useHome());
  await pipelineIn(home, 'demo', yaml);
  return cictl(['run', 'demo', ...args], { ...options, home });
}

const steps = `
steps:
  - { label: one, key: a, command: echo ONE }
  - { label: two, command: echo TWO }
  - wait
  - { label: three, key: c, command: echo THREE }
`;

test.each([
  ['--step two', ['two | TWO']],
  ['--step two --step c', ['three | THREE', 'two | TWO']],
  ['--step c --needs', ['one | ONE', 'three | THREE', 'two | TWO']],
  ['--from two', ['three | THREE', 'two | TWO']],
])('%s', async (flags, lines) => {
  const { stdout, stderr, exitCode } = await run(steps, flags.split(' '));
  expect(exitCode, stderr).toBe(0);
  expect(logLines(stdout).sort()).toEqual(lines);
});

test('accepts an unknown key with --allow-unknown-keys, which the error names', async () => {
  const home = await useHome();
  const yaml = 'steps: [{ label: one, command: echo ONE, instance_size: big }]';
  const refused = await run(yaml, [], { home });
  expect([refused.exitCode, refused.stderr]).toEqual([
    2,
    expect.stringContaining('try: cictl run --allow-unknown-keys'),
  ]);
  const { exitCode, stdout, stderr } = await run(yaml, ['--allow-unknown-keys'], { home });
  expect([exitCode, logLines(stdout)]).toEqual([0, ['one | ONE']]);
  expect(stderr).toContain('unknown key `instance_size` in a command step has no effect');
});

test('a missing step exits with 2 before anything runs', async () => {
  const { stdout, stderr, exitCode } = await run(steps, ['--step', 'c2']);
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(stderr).toContain('"c2"');
});

test.each([
  [['--step', 'a', '--from', 'c'], '--step and --from cannot be used together'],
  [['--needs'], '--needs requires --step'],
  [['--workspace', 'elsewhere'], '--workspace must be one of inplace, copy, worktree'],
  [['--plugins', 'sikp'], '--plugins must be run, skip, error'],
  [['--plugins-from', 'nowhere'], '--plugins-from nowhere: no such directory'],
  [['--triggers', 'run'], '--triggers must be one of skip, error'],
  [['--meta-data', 'x'], '--meta-data must be KEY=VALUE'],
  [['--secret', 'NOT_THERE'], '--secret NOT_THERE'],
  [['--secret', 'A_TOKEN=hunter2'], '--secret must be the name of a variable, not "A_TOKEN"'],
  [['--secret-file', 'nowhere.env'], 'nowhere.env'],
])('rejects %j in one line', async (args, why) => {
  const { stdout, stderr, exitCode } = await run(steps, args);
  expect(exitCode).toBe(args[0] === '--secret-file' ? 10 : 2);
  expect([stdout, stderr.split('\n')[0]]).toEqual(['', expect.stringContaining(why)]);
  expect(stderr).not.toContain('hunter2');
});

test('a copy leaves the directory unchanged', async () => {
  const home = await useHome();
  const yaml = `steps: [{ command: 'echo x >made; echo at $$PWD' }]`;
  const { stdout, exitCode } = await run(yaml, ['--workspace', 'copy'], { home });
  expect(exitCode).toBe(0);
  expect(stdout).toContain(' | at ');
  expect(stdout).not.toContain(join(home.cwd, 'demo'));
});

test('a worktree contains only committed files', async () => {
  const home = await useHome();
  const folder = await pipelineIn(home, 'demo', `steps: [{ command: 'ls | paste -sd " "' }]`);
  await writeFile(join(folder, 'committed'), '');
  await makeCheckout(folder, home);
  await writeFile(join(folder, 'changed'), '');
  const { stdout } = await cictl(['run', 'demo', '--workspace', 'worktree'], { home });
  expect(stdout).toContain(' | committed pipeline.yml\n');
});

test('sets the meta-data of the build', async () => {
  const { stdout } = await run(`steps: [{ command: 'true' }]`, ['--meta-data', 'a=b=c', '--json']);
  expect(stdout).toContain('"state":"passed"');
});

const show = `steps: [{ label: p, command: 'echo "$\${MINE-unset} $\${CICTL_OWN-unset} $\${BUILDKITE_OTHER-unset}"' }]`;
const env = { MINE: 'mine', CICTL_OWN: 'x', BUILDKITE_OTHER: 'y' };

test.each([
  [[], 'unset unset unset'],
  [['--inherit-env'], 'mine unset unset'],
])('with %j, jobs get from the environment: %s', async (args, line) => {
  expect((await run(show, args, { env })).stdout).toContain(`p | ${line}\n`);
});

test('--plan shows what would run of it', async () => {
  const args = ['--step', 'c', '--plan', '--json', '--fields', 'label,omitted'];
  const { stdout, stderr } = await run(steps, args);
  expect(stderr).toBe('');
  expect(stdout).toContain('not selected by --step c');
});
