/** `cictl local agent start`: background agents on this machine that run as long as the service. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { isRunning } from '../../src/service/runner/processes.ts';
import { pipelineIn } from '../run/pipelines.ts';
import { findAgents } from '../support/agents.ts';
import { cictl } from '../support/cli.ts';
import { useHome, type Home } from '../support/home.ts';
import { timeLimit } from '../support/time-limit.ts';
import { makeFakeAgent } from './fake-agent.ts';

interface Started {
  readonly args: readonly string[];
  readonly names: readonly string[];
  readonly pid: number;
}

/** A background service with its user's directory, stopped after the test. */
async function useLocal() {
  const home = await useHome();
  const run = (...args: string[]) => cictl(args, { home });
  const up = await run('local', 'up');
  expect(up.exitCode, up.stderr).toBe(0);
  onTestFinished(async () => {
    await run('local', 'down');
  });
  const data = home.env['CICTL_DATA_DIR'] ?? '';
  const agents = join(data, 'agents');
  const read = async (name: string) =>
    JSON.parse(await readFile(join(agents, `started-${name}.json`), 'utf8')) as Started;
  // An agent writes the file after it has registered.
  const started = (name: string) => vi.waitFor(() => read(name), { timeout: timeLimit });
  return { home, run, data, agents, started, url: up.stdout.trim() };
}

async function withFake(home: Home, name?: string): Promise<string> {
  const folder = join(home.root, 'program');
  await mkdir(folder);
  return makeFakeAgent(folder, name);
}

test('they have their own names, directories and token, and stop with the service', async () => {
  const { home, run, agents, started, url } = await useLocal();
  const binary = await withFake(home);
  const start = ['local', 'agent', 'start', '--agent-binary', binary];
  const first = await run(...start, '--count', '2', '--', '--tags', 'queue=gpu,os=linux');
  expect(first.stderr).toBe('started 2 agents; the local service stops its agents when it stops\n');
  expect(first.stdout.split('\n').map((row) => row.split('\t').slice(0, 3))).toEqual([
    ['agent-1', 'idle', 'queue=gpu,os=linux'],
    ['agent-2', 'idle', 'queue=gpu,os=linux'],
    [''],
  ]);
  expect((await run(...start)).stdout).toMatch(/^agent-3\tidle\tqueue=default\t/);
  const { args, names, pid } = await started('agent-1');
  expect(args).toEqual([
    ...['start', '--name', 'agent-1', '--endpoint', `${url}/v3`],
    ...['--build-path', join(agents, 'builds'), '--plugins-path', join(agents, 'plugins')],
    ...['--tags', 'queue=gpu,os=linux'],
  ]);
  expect(names).toEqual([]);
  const pids = [pid, (await started('agent-2')).pid, (await started('agent-3')).pid];
  expect(pids.map(isRunning)).toEqual([true, true, true]);
  expect((await run('local', 'down')).exitCode).toBe(0);
  expect(pids.map(isRunning)).toEqual([false, false, false]);
});

test('a stopped agent frees its name, and its token becomes invalid', async () => {
  const { home, run } = await useLocal();
  const start = ['local', 'agent', 'start', '--agent-binary', await withFake(home)];
  const tokens = async () => {
    const { stdout } = await run('local', 'agent-token', 'list');
    return stdout.split('\n').filter((row) => row.includes('local agent start')).length;
  };
  await run(...start);
  expect(await tokens()).toBe(1);
  await run('local', 'agent', 'stop', 'agent-1');
  await expect.poll(tokens).toBe(0);
  expect((await run(...start)).stdout).toMatch(/^agent-1\t/);
});

test('a failed start gives the reason and leaves nothing behind', async () => {
  const { home, run } = await useLocal();
  const binary = await withFake(home);
  const broken = await run('local', 'agent', 'start', '--agent-binary', binary, '--', '--broken');
  expect([broken.exitCode, broken.stdout, broken.stderr]).toEqual([
    8,
    '',
    'cictl: agent-1 exited (exit code 1): flag provided but not defined: -broken\n',
  ]);
  expect((await run('local', 'agents', '--fields', 'name')).stdout).toBe('local-1\nlocal-2\n');
});

test('the next service stops the agents of a killed one', async () => {
  const { home, run, data, started } = await useLocal();
  await run('local', 'agent', 'start', '--agent-binary', await withFake(home));
  const { pid } = await started('agent-1');
  const state = JSON.parse(await readFile(join(data, 'service.json'), 'utf8')) as { pid: number };
  process.kill(state.pid, 'SIGKILL');
  await expect.poll(() => isRunning(state.pid)).toBe(false);
  expect((await run('local', 'up')).exitCode).toBe(0);
  await expect.poll(() => isRunning(pid)).toBe(false);
});

test('without the program, one line says where to get it', async () => {
  const { home, run } = await useLocal();
  const words = ['local', 'agent', 'start'];
  expect(await cictl(words, { home, env: { PATH: home.cwd } })).toMatchObject({
    exitCode: 10,
    stderr:
      'cictl: buildkite-agent is not on PATH; get it from ' +
      'https://github.com/buildkite/agent/releases, or use --agent-binary FILE\n',
  });
  const named = await run(...words, '--agent-binary', 'nowhere');
  expect([named.exitCode, named.stderr]).toEqual([
    2,
    'cictl: --agent-binary "nowhere" is not a program; get buildkite-agent from https://github.com/buildkite/agent/releases\n',
  ]);
});

const agents = findAgents(process.env);

test.skipIf(agents.length === 0).each(agents)(
  '$version runs a job in this directory in place, and stops during a job',
  async ({ path }) => {
    const { home, run } = await useLocal();
    const folder = await pipelineIn(
      home,
      'demo',
      'steps: [{ label: a, command: cat data.txt > copy.txt; cat copy.txt }]',
    );
    await writeFile(join(folder, 'data.txt'), 'of this folder\n');
    expect((await run('local', 'agent', 'start', '--agent-binary', path)).exitCode).toBe(0);
    const done = await run('run', 'demo', '--agents');
    expect(done.exitCode, done.stdout + done.stderr).toBe(0);
    expect(done.stdout).toContain('a | of this folder');
    expect(await readFile(join(home.cwd, 'demo/copy.txt'), 'utf8')).toBe('of this folder\n');
    await pipelineIn(home, 'long', 'steps: [{ label: a, command: sleep 1000 }]');
    const long = run('run', 'long', '--agents');
    await expect
      .poll(async () => (await run('local', 'agents', '--fields', 'state')).stdout)
      .toContain('busy');
    expect((await run('local', 'down')).exitCode).toBe(0);
    await long;
    await run('local', 'up');
    const jq = '.state, .jobs[0].signal_reason';
    const after = await run('builds', 'view', 'long/1', '--profile', 'local', '--jq', jq);
    expect(after.stdout).toBe('failed\nagent_stop\n');
  },
);
