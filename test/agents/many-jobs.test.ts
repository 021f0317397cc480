/** Thirty jobs on three agents: each runs once and has a complete log. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { eachAgent } from './each-agent.ts';

eachAgent('runs 30 jobs on 3 agents, each once', async (scene) => {
  const runs = join(scene.home.root, 'runs');
  const command = `echo $$BUILDKITE_PARALLEL_JOB >> ${runs}; echo first; echo last $$BUILDKITE_PARALLEL_JOB`;
  await scene.pipeline(`  - { key: many, command: '${command}', parallelism: 30 }`);
  scene.agent({ name: 'many-%spawn', args: ['--spawn', '3'] });
  const number = await scene.create();
  const build = await scene.settled(number);
  expect(build.state).toBe('passed');
  const ran = (await readFile(runs, 'utf8')).trim().split('\n').map(Number);
  expect(ran.sort((one, other) => one - other)).toEqual([...Array(30).keys()]);
  expect(new Set(build.jobs.map(({ agent }) => agent?.id)).size).toBe(3);
  for (const [place, { id }] of build.jobs.entries()) {
    const log = await (await scene.get(`/pipelines/p/builds/${number}/jobs/${id}/log.txt`)).text();
    expect(log).toMatch(new RegExp(`first\\r*\\n.*last ${place}\\r*\\n`));
  }
});
