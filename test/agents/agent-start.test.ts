/** `local agent start`: agents on this machine, which start and stop with the service. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { createRepository } from '../support/git-repository.ts';
import { until } from '../run/processes.ts';
import { isRunning } from '../support/job.ts';
import { processesWith } from '../run/processes.ts';
import { openBackground } from './background.ts';
import { eachProgram } from './each-agent.ts';

eachProgram(
  "local agent start: two agents in the background run a build's commit and stop with the service",
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
    command: 'cat file; git rev-parse HEAD; ls; touch made'
    agents: { os: linux }
    env: { BUILDKITE_CLEAN_CHECKOUT: true, BUILDKITE_BUILD_CHECKOUT_PATH: ${home.root} }`;
    const { folder, commit, git } = await scene.pipeline(step, { file: 'old\n' });
    const old = git('rev-parse', 'HEAD');
    commit({ file: 'new\n' });
    await writeFile(join(folder, 'file'), 'uncommitted\n');
    const create = ['builds', 'create', '-p', 'p', '-c', old.slice(0, 8), '-b', 'a', '-m', 'm'];
    expect((await cictl(create)).exitCode).toBe(0);
    const { state } = await scene.settled(1);
    const log = await scene.log(1, 'work');
    expect(state, log).toBe('passed');
    expect(log).toContain(`old\n${old}\nfile\n`);
    expect(git('status', '--porcelain')).toBe('M file');
    const pids = await processesWith(home.dataDir);
    expect((await cictl(['local', 'down'])).exitCode).toBe(0);
    await until(() => pids.every((pid) => !isRunning(String(pid))));
    expect(await processesWith(home.dataDir)).toEqual([]);
  },
);

eachProgram(
  'run --agents in place: reports another commit, and fails for hooks that agents would skip',
  (program) => openBackground(program, ['--slots', '0']),
  async (scene) => {
    const { cictl, program, home } = scene;
    const start = ['local', 'agent', 'start', '--agent-binary', program.path];
    const started = await cictl(start);
    expect(started.exitCode, started.stderr).toBe(0);
    const plugin = createRepository(join(home.root, 'org', 'show-buildkite-plugin'));
    plugin.commit({ 'hooks/pre-checkout': 'echo early\n' });
    plugin.git('tag', 'v1');
    const checkout = createRepository(join(home.cwd, 'work'));
    const first = checkout.commit({
      'pipeline.yml':
        'steps: [{ key: a, command: cat file, retry: { manual: { permit_on_passed: true } } }]',
    });
    const next = checkout.commit({ file: 'next\n' });
    const run = ['run', checkout.folder, '--agents'];
    const passed = await cictl(run);
    expect(passed.exitCode, passed.stdout + passed.stderr).toBe(0);
    expect(passed.stdout).not.toContain('is for commit');
    checkout.git('reset', '--quiet', '--soft', first);
    const retried = await cictl(['job', 'retry', 'work/1#a', '--watch']);
    expect(retried.exitCode, retried.stdout + retried.stderr).toBe(0);
    const { stdout: log } = await cictl(['job', 'log', 'work/1#a']);
    expect(log.split('\n')[0]).toContain(`which is at ${first}; the build is for commit ${next}`);
    expect(log).toContain('\nnext\n');

    const uses = `plugins: ["file://${plugin.folder}#v1"]`;
    checkout.commit({
      'pipeline.yml': `steps: [{ key: a, command: cat file, ${uses} }]`,
      '.buildkite/hooks/post-checkout': 'echo late\n',
    });
    const refused = await cictl(run);
    expect(refused.exitCode, refused.stdout + refused.stderr).toBe(2);
    expect(refused.stderr).toMatch(
      /post-checkout of the repository, pre-checkout of the plugin show; .* --workspace copy/,
    );
    const copied = await cictl([...run, '--workspace', 'copy']);
    expect(copied.exitCode, copied.stdout + copied.stderr).toBe(0);
    for (const said of ['early', 'late', 'next']) expect(copied.stdout).toContain(`| ${said}\n`);
  },
);
