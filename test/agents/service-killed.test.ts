/** A service that is killed during a job and restarts after a while. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { isRunning } from '../support/job.ts';
import { until } from '../run/processes.ts';
import { eachProgram } from './each-agent.ts';
import { openBackground } from './background.ts';

const lines = [...Array(16).keys()].map((line) => `line ${line}`);
const script = `for line in {0..15}; do echo "line $line"; sleep 0.7; done\n`;

eachProgram(
  'after 8 s without the service, the log is complete and the same agent continues',
  (program) => openBackground(program, ['--slots', '0']),
  async (scene) => {
    await scene.pipeline('  - { key: work, command: bash work.sh }', { 'work.sh': script });
    scene.agent();
    const number = await scene.create();
    await scene.printed(number, 'work', 'line 1\n');
    const state = await readFile(join(scene.home.dataDir, 'service.json'), 'utf8');
    const { pid } = JSON.parse(state) as { pid: number };
    process.kill(pid, 'SIGKILL');
    await until(() => !isRunning(String(pid)));
    // Long enough for the agent to notice; its own clock determines what it does.
    await sleep(8000);
    await scene.up();
    const build = await scene.settled(number);
    const log = await scene.log(number, 'work');
    expect(build.state, log).toBe('passed');
    expect(log.split('\n').filter((line) => line.startsWith('line '))).toEqual(lines);
    await scene.pipeline('  - { key: work, command: echo next }', {}, 'next');
    const next = await scene.settled(await scene.create('next'), 'next');
    expect(next.jobs[0]?.agent).toMatchObject({ id: build.jobs[0]?.agent?.id });
    expect(scene.agents[0]?.output().match(/Registering/g)).toHaveLength(1);
  },
);
