/** If its data directory is removed, a service stops with its jobs and reports it in one line. */
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isRunning } from '../../src/service/runner/processes.ts';
import { pipelineIn } from '../run/pipelines.ts';
import { ownSleep, processesWith, until } from '../run/processes.ts';
import { cictl, startCictl } from '../support/cli.ts';
import { useHome, type Home } from '../support/home.ts';

/** A user with a pipeline whose only job sleeps. */
async function useSleeping(seconds: string) {
  const home = await useHome();
  const mark = ownSleep(seconds);
  await pipelineIn(home, 'demo', `steps: [{ command: '${mark}' }]`);
  const local = (...args: string[]) => cictl(['local', ...args], { home });
  onTestFinished(() => local('down').then(() => undefined));
  const jobRuns = () => until(async () => (await processesWith(mark)).length > 0);
  return { home, local, mark, jobRuns };
}

const create = ['builds', 'create', '-p', 'demo', '-c', 'HEAD', '-b', 'main', '-m', 'm'];
const isIdle = (mark: string) => async () => (await processesWith(mark)).length === 0;

async function pidOf({ dataDir }: Home): Promise<number> {
  const state = await readFile(join(dataDir, 'service.json'), 'utf8');
  return (JSON.parse(state) as { pid: number }).pid;
}

const away = (dataDir: string): string => `${dataDir}-away`;
const ways = [
  ['deleted', '7231.', (dataDir: string) => rm(dataDir, { recursive: true })],
  ['moved', '7232.', (dataDir: string) => rename(dataDir, away(dataDir))],
  [
    'replaced',
    '7233.',
    (dataDir: string) => rename(dataDir, away(dataDir)).then(() => mkdir(dataDir)),
  ],
] as const;

test.each(ways)('in the background, its directory %s', async (how, seconds, spoil) => {
  const { home, local, mark, jobRuns } = await useSleeping(seconds);
  await local('up');
  const pid = await pidOf(home);
  await local('pipeline', 'add', 'demo');
  await cictl(create, { home });
  await jobRuns();
  await spoil(home.dataDir);
  await until(() => !isRunning(pid));
  await until(isIdle(mark));
  if (how !== 'deleted') {
    const said = await readFile(join(away(home.dataDir), 'service.log'), 'utf8');
    expect(said).toContain(`cictl: the data directory ${home.dataDir} was removed`);
  }
  expect((await local('status')).exitCode).toBe(9);
  expect((await local('down')).exitCode).toBe(0);
  expect((await local('up')).exitCode).toBe(0);
  expect((await local('status')).exitCode).toBe(0);
});

test('in the foreground, prints one line and exits with 10', async () => {
  const { home, local } = await useSleeping('7234.');
  const child = startCictl(['local', 'up', '--foreground'], home);
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  await until(async () => (await local('status')).exitCode === 0);
  await rm(home.dataDir, { recursive: true });
  expect((await child).exitCode).toBe(10);
  expect(stderr.match(/^cictl: .*/gm)).toEqual([
    `cictl: the data directory ${home.dataDir} was removed: stopping the local service that used it`,
  ]);
});

test('a database put there by another process is not used', async () => {
  const { home, local } = await useSleeping('7235.');
  const child = startCictl(['local', 'up', '--foreground'], home);
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  await until(async () => (await local('status')).exitCode === 0);
  const file = join(home.dataDir, 'service.db');
  await rename(file, `${file}.old`);
  await rename(`${file}.old`, file);
  expect((await local('status')).exitCode).toBe(0);
  const other = await useHome();
  await cictl(['local', 'up'], { home: other });
  await cictl(['local', 'down'], { home: other });
  await rename(join(other.dataDir, 'service.db'), file);
  expect((await child).exitCode).toBe(10);
  expect(stderr).toContain(`the data directory ${home.dataDir} was replaced`);
});

test('a run with its own service exits with 10 and one line', async () => {
  const { home, mark, jobRuns } = await useSleeping('7236.');
  const child = startCictl(['run', 'demo'], home);
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  await jobRuns();
  await rm(home.dataDir, { recursive: true });
  expect((await child).exitCode).toBe(10);
  expect(stderr.match(/^cictl: .*/gm)).toEqual([expect.stringContaining('was removed')]);
  expect(stderr).not.toContain('canceling');
  expect(await processesWith(mark)).toEqual([]);
});
