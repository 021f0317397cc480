/** `cictl run --agents` runs the build on agents instead of local slots. */
import { expect, onTestFinished, test } from 'vitest';
import { cictl, startCictl } from '../support/cli.ts';
import { useHome } from '../support/home.ts';
import { pipelineIn } from './pipelines.ts';

const steps = 'steps: [{ command: echo hi, agents: { queue: gpu } }]';

test('without a running service, exits with 9 and runs nothing', async () => {
  const home = await useHome();
  await pipelineIn(home, 'demo', steps);
  const { exitCode, stdout, stderr } = await cictl(['run', 'demo', '--agents'], { home });
  expect([exitCode, stdout]).toEqual([9, '']);
  expect(stderr).toBe('cictl: the local service is not running\n  try: cictl local up\n');
});

test.each([
  ['--jobs', '3'],
  ['--inherit-env', ''],
  ['--plugins-from', '.'],
  ['--no-tty', ''],
  ['--shell-on-failure', ''],
])('%s applies only to this machine', async (flag, value) => {
  const home = await useHome();
  await pipelineIn(home, 'demo', steps);
  const args = ['run', 'demo', '--agents', flag, ...(value === '' ? [] : [value])];
  const { exitCode, stderr } = await cictl(args, { home });
  expect([exitCode, stderr]).toEqual([2, `cictl: --agents and ${flag} cannot be used together\n`]);
});

test('only a run on this machine reports that agent rules are ignored', async () => {
  const home = await useHome();
  await pipelineIn(home, 'demo', steps);
  const here = await cictl(['run', 'demo', '--plan'], { home });
  expect(here.stderr).toContain('`agents` is shown but has no effect');
  const there = await cictl(['run', 'demo', '--plan', '--agents'], { home });
  expect([there.exitCode, there.stderr]).toEqual([0, '']);
});

test('jobs waiting for agents do not keep a local run from ending', async () => {
  const home = await useHome();
  await pipelineIn(home, 'demo', steps);
  onTestFinished(async () => {
    await cictl(['local', 'down'], { home });
  });
  await cictl(['local', 'up'], { home });
  const waiting = startCictl(['run', 'demo', '--agents'], home);
  const status = ['local', 'status', '--jq', '.waiting_for_agents[0].tags[0]'];
  await expect.poll(async () => (await cictl(status, { home })).stdout).toBe('queue=gpu\n');
  waiting.kill('SIGKILL');
  await cictl(['local', 'down'], { home });
  const { exitCode, stdout, stderr } = await cictl(['run', 'demo'], { home });
  expect([exitCode, stderr]).toEqual([0, expect.not.stringContaining('waiting for another')]);
  expect(stdout).toContain('echo hi | hi');
});
