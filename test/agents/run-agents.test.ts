/** `cictl run --agents` builds this directory on real agents and displays it like any other run. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { until } from '../run/processes.ts';
import { pipelineIn } from '../run/pipelines.ts';
import { openBackground } from './background.ts';
import { eachProgram } from './each-agent.ts';

const yaml = `
steps:
  - { key: one, label: one, command: 'echo "by $$BUILDKITE_AGENT_NAME"; echo 1 > one.txt', artifact_paths: one.txt }
  - wait
  - { key: two, label: two, command: 'buildkite-agent artifact download one.txt . && cat one.txt && exit 3' }
`;

eachProgram(
  'run --agents: agents run the jobs, and output and exit code are the same',
  (program) => openBackground(program),
  async (scene) => {
    const { home, cictl } = scene;
    const folder = await pipelineIn(home, 'demo', yaml);
    scene.agent({ name: 'far' });
    const here = await cictl(['run', folder]);
    const there = await cictl(['run', '--agents', folder]);
    expect([here.exitCode, there.exitCode], there.stderr).toEqual([1, 1]);
    expect(there.stdout).toContain('one | by far\n');
    expect(here.stdout).not.toContain('by far');
    const outcome = (text: string): string[] =>
      text.split('\n').filter((line) => /^\S+ (?:passed|failed)/.test(line));
    const shape = (text: string): string[] =>
      outcome(text).map((line) => line.replaceAll(/\d+(?:\.\d+)?/g, 'N'));
    expect(shape(there.stdout)).toEqual(shape(here.stdout));
    await expect(readFile(join(folder, 'one.txt'), 'utf8')).resolves.toBe('1\n');
  },
);

eachProgram(
  'run --agents without agents says what it waits for, and continues when one connects',
  (program) => openBackground(program),
  async (scene) => {
    const { home, cictl } = scene;
    const folder = await pipelineIn(
      home,
      'demo',
      'steps: [{ key: a, label: a, command: echo hi }]',
    );
    const running = cictl(['run', '--agents', folder]);
    const waits = async (): Promise<boolean> => {
      const { stdout } = await cictl(['local', 'status', '-o', 'table']);
      return stdout.includes('queue=default');
    };
    await until(waits);
    scene.agent();
    expect((await running).exitCode).toBe(0);
  },
);
