/** Jobs on real agents that exceed their timeout, because the service's clock jumps ahead. */
import { expect } from 'vitest';
import { processesWith, ownSleep, until } from '../run/processes.ts';
import type { AgentProgram } from '../support/agents.ts';
import { eachProgram } from './each-agent.ts';
import { openScene } from './open-scene.ts';

const sleep = ownSleep('300.3');

async function openTimed(program: AgentProgram) {
  let ahead = 0;
  const clock = { now: () => Date.now() + ahead };
  const scene = await openScene(program, { clock });
  return { ...scene, pass: (ms: number) => (ahead += ms) };
}

eachProgram('timeout_in_minutes: the agent stops the job', openTimed, async (scene) => {
  const command = `trap "echo terminated; exit 0" TERM; echo ready; ${sleep} & wait`;
  await scene.pipeline(`  - { key: work, timeout_in_minutes: 2, command: '${command}' }`);
  scene.agent();
  const number = await scene.create();
  await scene.printed(number, 'work', 'ready\n');
  scene.pass(90_000);
  expect((await scene.build(number)).jobs[0]?.state).toBe('running');
  scene.pass(31_000);
  const { state, jobs } = await scene.settled(number);
  expect([state, jobs[0]?.state]).toEqual(['failed', 'timed_out']);
  expect(await scene.log(number, 'work')).toMatch(/^terminated/m);
  await until(async () => (await processesWith(sleep)).length === 0);
  // The agent is free for the next job.
  await scene.pipeline('  - { key: next, command: echo next }', {}, 'next');
  expect((await scene.settled(await scene.create('next'), 'next')).state).toBe('passed');
});
