/** Canceling a build while a real agent runs one of its jobs. */
import { expect } from 'vitest';
import { ownSleep, processesWith, until } from '../run/processes.ts';
import { eachAgent } from './each-agent.ts';
import type { Scene } from './scene.ts';

const sleep = ownSleep('300.1');

eachAgent('cancel: terminates the script, and the log has its last output', async (scene) => {
  const script = `trap 'echo terminated; exit 7' TERM\necho ready\n${sleep} & wait\n`;
  const { number, log } = await cancelRunning(scene, script);
  expect(log).toContain('terminated\n');
  const { stdout } = await scene.cictl(['job', 'view', `p/${number}#work`, '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ state: 'canceled', agent: { name: 'agent' } });
});

eachAgent('cancel: kills a script that ignores TERM', async (scene) => {
  const script = `trap '' TERM\necho ready\nwhile :; do ${sleep}2 || :; done\n`;
  const grace =
    scene.program.major < 4
      ? ['--cancel-grace-period', '2', '--signal-grace-period-seconds', '1']
      : ['--cancel-signal-timeout', '1s'];
  await cancelRunning(scene, script, grace);
  await until(async () => (await processesWith(`${sleep}2`)).length === 0);
});

async function cancelRunning(scene: Scene, script: string, args: readonly string[] = []) {
  await scene.pipeline('  - { key: work, command: bash work.sh }', { 'work.sh': script });
  scene.agent({ args });
  const number = await scene.create();
  await scene.printed(number, 'work', 'ready\n');
  const canceled = await scene.cictl(['builds', 'cancel', `p/${number}`, '--yes']);
  expect(canceled.exitCode, canceled.stderr).toBe(0);
  const build = await scene.settled(number);
  expect([build.state, build.jobs[0]?.state]).toEqual(['canceled', 'canceled']);
  // The agent is free for the next job.
  await scene.settled(await next(scene));
  return { number, log: await scene.log(number, 'work') };
}

async function next(scene: Scene): Promise<number> {
  await scene.pipeline('  - { key: next, command: echo next }', {}, 'next');
  return scene.create('next');
}
