/** `local up --keep`, `local prune`, and the disk usage in `local status`. */
import { expect, onTestFinished, test } from 'vitest';
import { pipelineIn } from '../run/pipelines.ts';
import { cictl } from '../support/cli.ts';
import { useHome } from '../support/home.ts';

async function useLocal() {
  const home = await useHome();
  onTestFinished(() => cictl(['local', 'down'], { home }).then(() => undefined));
  return { home, local: (...args: string[]) => cictl(['local', ...args], { home }) };
}

const statusOf = (text: string) => JSON.parse(text) as { keep: string | null; size: number };

test('the next service keeps the value of --keep', async () => {
  const { local } = await useLocal();
  expect((await local('up', '--keep', '90d')).exitCode).toBe(0);
  const first = statusOf((await local('status', '--json')).stdout);
  expect(first.keep).toBe('90d');
  expect(first.size).toBeGreaterThan(10_000);
  await local('down');
  await local('up');
  expect((await local('status', '--fields', 'keep')).stdout).toBe('90d\n');
  await local('up', '--keep', '500');
  expect((await local('status', '--fields', 'keep')).stdout).toBe('500\n');
  await local('up', '--keep', 'all');
  expect(statusOf((await local('status', '--json')).stdout).keep).toBeNull();
});

test('prune removes old builds, with or without a running service', async () => {
  const { home, local } = await useLocal();
  const folder = await pipelineIn(home, 'p', "steps: [{ command: 'true' }]");
  for (let run = 1; run <= 3; run++) await cictl(['run'], { home, cwd: folder });
  expect(await local('prune', '--keep', '2')).toMatchObject({
    exitCode: 0,
    stderr: 'removed 1 old build\n',
  });
  await local('up', '--keep', '90d');
  expect((await local('prune')).stderr).toContain('removed 0 old builds');
  expect((await local('prune', '--keep', '1')).stderr).toContain('removed 1 old build');
  const list = await cictl(['builds', 'list', '--profile', 'local', '--all-pipelines'], { home });
  expect(list.stdout.split('\n').filter(Boolean)).toHaveLength(1);
});

test.each([
  [['up', '--keep', '2y'], '--keep must be an age such as 90d'],
  [['prune', '--keep', '0'], '--keep must be an age such as 90d'],
  [['prune'], 'keep is required, because no default was set'],
])('local %j exits with 2', async (args, message) => {
  const { local } = await useLocal();
  const { exitCode, stderr } = await local(...args);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining(message)]);
});
