/** No process of a job outlives a service that is killed, or a job that is canceled. */
import { expect, onTestFinished, test } from 'vitest';
import { pipelineIn } from '../run/pipelines.ts';
import { ownSleep, processesWith, until } from '../run/processes.ts';
import { cictl, startCictl } from '../support/cli.ts';
import { useHome } from '../support/home.ts';

const isLinux = process.platform === 'linux';

/** Ways to leave a job's session, its environment, or both. */
const ways = [
  ['in the background', (sleep: string) => `${sleep} &`],
  ['under nohup, disowned', (sleep: string) => `nohup ${sleep} > /dev/null & disown`],
  ['in a session of its own', (sleep: string) => `setsid ${sleep} &`],
  ['without environment and session', (sleep: string) => `env -i setsid ${sleep} &`],
  ['as a daemon', (sleep: string) => `env -i setsid sh -c '(${sleep} > /dev/null 2>&1 &)'`],
] as const;

/** A pipeline whose only job leaves a `sleep` in every way, and the mark that they share. */
async function useLeaving(seconds: string) {
  const home = await useHome();
  const mark = ownSleep(seconds);
  const script = [...ways.map(([, write]) => write(mark)), 'echo ready', mark].join('\n');
  await pipelineIn(home, 'demo', JSON.stringify({ steps: [{ key: 'a', command: script }] }));
  const local = (...args: string[]) => cictl(args, { home });
  onTestFinished(() => local('local', 'down').then(() => undefined));
  const all = ways.length + 1;
  const allRun = () => until(async () => (await processesWith(mark)).length >= all);
  return { home, local, mark, allRun };
}

test.runIf(isLinux)('up kills the leftovers of a killed service', async () => {
  const { local, mark, allRun } = await useLeaving('7211.');
  await local('local', 'up');
  await local('local', 'pipeline', 'add', 'demo');
  await local('builds', 'create', '-p', 'demo', '-c', 'HEAD', '-b', 'main', '-m', 'm');
  await allRun();
  const { pid } = JSON.parse((await local('local', 'status', '--json')).stdout) as { pid: number };
  process.kill(pid, 'SIGKILL');
  expect((await local('local', 'up')).exitCode).toBe(0);
  expect(await processesWith(mark)).toEqual([]);
});

test.runIf(isLinux)('the next run and down do the same', async () => {
  const { home, mark, allRun } = await useLeaving('7212.');
  for (const next of [
    ['run', '-'],
    ['local', 'down'],
  ]) {
    const child = startCictl(['run', 'demo'], home);
    await allRun();
    child.kill('SIGKILL');
    await child;
    const stdin = 'steps: [{ command: "true" }]';
    expect((await cictl(next, { home, stdin })).exitCode).toBe(0);
    expect(await processesWith(mark)).toEqual([]);
  }
});

test.runIf(isLinux)('a canceled job leaves nothing behind', async () => {
  const { local, mark, allRun } = await useLeaving('7213.');
  await local('local', 'up');
  await local('local', 'pipeline', 'add', 'demo');
  await local('builds', 'create', '-p', 'demo', '-c', 'HEAD', '-b', 'main', '-m', 'm');
  await allRun();
  const canceled = await local('builds', 'cancel', 'demo/1', '--yes', '--watch');
  expect(canceled.exitCode).toBe(3);
  expect(await processesWith(mark)).toEqual([]);
});
