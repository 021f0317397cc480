/** `local agent start`: agents of this machine, which come and go with the service. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { until } from '../run/processes.ts';
import { isRunning } from '../support/job.ts';
import { processesWith } from '../run/processes.ts';
import { openBackground } from './background.ts';
import { eachProgram } from './each-agent.ts';

eachProgram(
  'local agent start: two agents in the background, ended with the service',
  (program) => openBackground(program, ['--slots', '0']),
  async (scene) => {
    const { cictl, program, home } = scene;
    const binary = ['--agent-binary', program.path];
    const words = [
      'local',
      'agent',
      'start',
      '--count',
      '2',
      ...binary,
      '--',
      '--tags',
      'os=linux',
    ];
    const started = await cictl(words);
    expect(started.exitCode, started.stderr).toBe(0);
    expect(started.stderr + started.stdout).not.toMatch(/bkat|agent_token|agt/);
    const list = async (): Promise<{ name: string; pid?: number }[]> =>
      JSON.parse((await cictl(['local', 'agents', '--json'])).stdout) as { name: string }[];
    await until(async () => (await list()).length === 2);
    expect(new Set((await list()).map(({ name }) => name)).size).toBe(2);
    const step = `
  - key: work
    command: 'echo in $$PWD; cat ignored'
    agents: { os: linux }
    env: { BUILDKITE_CLEAN_CHECKOUT: true, BUILDKITE_BUILD_CHECKOUT_PATH: ${home.root} }`;
    const { folder } = await scene.pipeline(step, { '.gitignore': 'ignored\n' });
    await writeFile(join(folder, 'ignored'), 'still here\n');
    const number = await scene.create();
    const { state } = await scene.settled(number);
    const log = await scene.log(number, 'work');
    expect(state, log).toBe('passed');
    expect(log).toContain(`in ${folder}\nstill here\n`);
    const pids = await processesWith(home.dataDir);
    expect((await cictl(['local', 'down'])).exitCode).toBe(0);
    await until(() => pids.every((pid) => !isRunning(String(pid))));
    expect(await processesWith(home.dataDir)).toEqual([]);
  },
);
