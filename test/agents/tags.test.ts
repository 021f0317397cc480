/** Which agent gets which job: queues, tags, priorities, and jobs that no agent matches. */
import { expect } from 'vitest';
import { until } from '../run/processes.ts';
import { eachAgent } from './each-agent.ts';

const tagged = (tags: string): string[] => ['--tags', tags];

eachAgent('each job runs on the agent whose queue and tags match', async (scene) => {
  await scene.pipeline(`
  - { key: plain, command: 'true' }
  - { key: linux, command: 'true', agents: { queue: build, os: linux } }
  - { key: any-os, command: 'true', agents: ['queue=build', 'os=*', 'disk=ssd'] }
  - { key: gpu, command: 'true', agents: { queue: gpu } }`);
  scene.agent({ name: 'default' });
  scene.agent({ name: 'linux', args: tagged('queue=build,os=linux') });
  scene.agent({ name: 'mac', args: tagged('queue=build,os=mac,disk=ssd') });
  const number = await scene.create();
  const taken = async (): Promise<unknown[]> =>
    (await scene.build(number)).jobs.map(({ step_key, state, agent }) => [
      ...[step_key, state, agent?.name],
    ]);
  await until(async () => JSON.stringify(await taken()).split('"passed"').length === 4);
  expect(await taken()).toEqual([
    ...[
      ['plain', 'passed', 'default'],
      ['linux', 'passed', 'linux'],
      ['any-os', 'passed', 'mac'],
    ],
    ['gpu', 'scheduled', undefined],
  ]);
  const { stdout } = await scene.cictl(['builds', 'view', `p/${number}`, '-o', 'table']);
  expect(stdout).toContain('queue=gpu');
  scene.agent({ name: 'gpu', args: tagged('queue=gpu') });
  expect((await scene.settled(number)).state).toBe('passed');
});

eachAgent(
  'the job with the highest priority comes first, and agents have priorities',
  async (scene) => {
    await scene.pipeline(`
  - { key: low, command: 'true' }
  - { key: high, command: 'true', priority: 5 }
  - { key: middle, command: 'true', priority: 1 }`);
    const number = await scene.create();
    scene.agent({ name: 'one', args: ['--priority', '1'] });
    const { jobs } = await scene.settled(number);
    const started = jobs.toSorted((one, other) =>
      String(one['started_at']).localeCompare(String(other['started_at'])),
    );
    expect(started.map(({ step_key }) => step_key)).toEqual(['high', 'middle', 'low']);
    // If several agents wait, the job goes to the one that pings next; see jobs.test.ts.
    scene.agent({ name: 'nine', args: ['--priority', '9'] });
    const agents = async (): Promise<string[]> =>
      ((await (await scene.get('/agents')).json()) as { name: string; priority: number }[]).map(
        ({ name, priority }) => `${name} ${priority}`,
      );
    await until(async () => (await agents()).length === 2);
    expect((await agents()).sort()).toEqual(['nine 9', 'one 1']);
  },
);

eachAgent(
  'slots with tags are agents like the others',
  async (scene) => {
    await scene.pipeline(`
  - { key: here, command: 'true', agents: { os: mac } }
  - { key: there, command: 'true', agents: { queue: gpu } }
  - { key: nowhere, command: 'true', agents: { os: plan9 } }`);
    scene.agent({ name: 'far', args: tagged('queue=gpu') });
    const number = await scene.create();
    const agents = async (): Promise<unknown[]> =>
      (await scene.build(number)).jobs.map(({ state, agent }) => [state, agent?.name === 'far']);
    await until(async () => JSON.stringify(await agents()).split('"passed"').length === 3);
    expect(await agents()).toEqual([
      ['passed', false],
      ['passed', true],
      ['scheduled', false],
    ]);
  },
  { slots: 1, tags: ['queue=default', 'os=mac'] },
);
