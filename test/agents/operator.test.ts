/**
 * What an operator does: stops an agent once or twice, or starts one for a single or a specific
 * job.
 */
import { writeFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { ownSleep, processesWith, until } from '../run/processes.ts';
import { eachAgent } from './each-agent.ts';
import type { Scene } from './scene.ts';

const sleep = ownSleep('300.2');

/** The names of the agents in the API's list. */
async function names({ get }: Scene): Promise<string[]> {
  const list = (await (await get('/agents')).json()) as { name: string }[];
  return list.map(({ name }) => name).sort();
}

eachAgent('SIGTERM once: the job finishes, then the agent stops', async (scene) => {
  const script = 'echo ready; until [ -e "$GO_ON" ]; do sleep 0.1; done; echo done';
  const flag = `${scene.home.root}/go-on`;
  await scene.pipeline(
    `  - { key: work, command: bash work.sh, env: { GO_ON: ${flag} } }\n  - { key: never, command: echo never, depends_on: work }`,
    { 'work.sh': script },
  );
  const agent = scene.agent();
  const number = await scene.create();
  await scene.printed(number, 'work', 'ready\n');
  expect(await names(scene)).toEqual(['agent']);
  agent.signal('SIGTERM');
  await writeFile(flag, '');
  expect(await agent.ended).toBe(0);
  expect(await names(scene)).toEqual([]);
  const { jobs } = await scene.build(number);
  expect(jobs.map(({ state }) => state)).toEqual(['passed', 'scheduled']);
  expect(await scene.log(number, 'work')).toContain('done\n');
});

eachAgent('SIGTERM twice: the job is stopped, and says that its agent stopped', async (scene) => {
  await scene.pipeline(`  - { key: work, command: 'echo ready; ${sleep}' }`);
  const agent = scene.agent();
  const number = await scene.create();
  await scene.printed(number, 'work', 'ready\n');
  agent.signal('SIGTERM');
  await until(() => /SIGTERM|terminated|Received/i.test(agent.output()));
  agent.signal('SIGTERM');
  await agent.ended;
  const { state, jobs } = await scene.settled(number);
  expect(state).toBe('failed');
  expect(jobs[0]).toMatchObject({ state: 'failed', signal_reason: 'agent_stop' });
  await until(async () => (await processesWith(sleep)).length === 0);
  expect(await names(scene)).toEqual([]);
});

eachAgent('--disconnect-after-job: runs exactly one job', async (scene) => {
  await scene.pipeline("  - { key: work, command: 'true', parallelism: 2 }");
  const agent = scene.agent({ args: ['--disconnect-after-job'] });
  const number = await scene.create();
  expect(await agent.ended).toBe(0);
  const { jobs } = await scene.build(number);
  expect(jobs.map(({ state }) => state).sort()).toEqual(['passed', 'scheduled']);
  scene.agent({ name: 'second', args: ['--disconnect-after-job'] });
  expect((await scene.settled(number)).state).toBe('passed');
});

eachAgent('--acquire-job: runs only that job, once', async (scene) => {
  await scene.pipeline(
    "  - { key: other, command: 'true' }\n  - { key: work, command: exit 5, agents: { queue: apart } }",
  );
  const number = await scene.create();
  const { id = '' } = (await scene.build(number)).jobs[1] ?? {};
  const acquire = ['--acquire-job', id];
  const agent = scene.agent({ args: acquire });
  expect(await agent.ended).toBe(0);
  const { jobs } = await scene.build(number);
  expect(jobs.map(({ state }) => state)).toEqual(['scheduled', 'failed']);
  expect(jobs[1]?.exit_status).toBe(5);
  const again = scene.agent({ name: 'again', args: acquire });
  expect(await again.ended).not.toBe(0);
  expect((await scene.build(number)).jobs.map(({ state }) => state)).toEqual([
    ...['scheduled', 'failed'],
  ]);
});
