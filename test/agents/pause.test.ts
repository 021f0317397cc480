/** `local agent pause`, `resume` and `stop` with real agents. */
import { expect } from 'vitest';
import { until } from '../run/processes.ts';
import { eachAgent } from './each-agent.ts';
import type { Scene } from './scene.ts';

const step = "  - { key: work, command: 'true' }";

async function connected(scene: Scene, name: string): Promise<void> {
  scene.agent({ name });
  await until(async () => (await listed(scene)).includes(name));
}

async function listed({ cictl }: Scene): Promise<string[]> {
  const { stdout, stderr, exitCode } = await cictl(['local', 'agents', '--jq', '.[].name']);
  expect(exitCode, stderr).toBe(0);
  return stdout.trim().split('\n');
}

async function agentCommand({ cictl }: Scene, ...words: string[]): Promise<void> {
  const { exitCode, stderr } = await cictl(['local', 'agent', ...words]);
  expect(exitCode, stderr).toBe(0);
}

eachAgent('a paused agent takes no job until it is resumed', async (scene) => {
  await scene.pipeline(step);
  await connected(scene, 'first');
  await agentCommand(scene, 'pause', 'first', '--note', 'lunch');
  const number = await scene.create();
  await connected(scene, 'second');
  const build = await scene.settled(number);
  expect(build.jobs[0]?.agent?.name).toBe('second');
  await agentCommand(scene, 'pause', 'second');
  await agentCommand(scene, 'resume', 'first');
  const other = await scene.settled(await scene.create());
  expect(other.jobs[0]?.agent?.name).toBe('first');
});

eachAgent('a stopped agent exits after its job, with --force immediately', async (scene) => {
  await scene.pipeline(`  - { key: work, command: 'echo ready; sleep 300' }`);
  await connected(scene, 'idle');
  await agentCommand(scene, 'stop', 'idle');
  await scene.agents[0]?.ended;
  const number = await scene.create();
  await connected(scene, 'busy');
  await scene.printed(number, 'work', 'ready');
  await agentCommand(scene, 'stop', 'busy', '--force');
  await scene.agents[1]?.ended;
  const { state } = await scene.settled(number);
  expect(state).toMatch(/failed|canceled/);
});

eachAgent('a job stops its own agent', async (scene) => {
  // Version 3 does not have this command.
  const isOld = scene.program.major < 4;
  const command = isOld ? 'exit 4' : 'buildkite-agent stop';
  await scene.pipeline(`  - { key: work, command: ${command} }`);
  const agent = scene.agent();
  const build = await scene.settled(await scene.create());
  expect(build.state).toBe(isOld ? 'failed' : 'passed');
  if (!isOld) expect(await agent.ended).toBe(0);
});
