/** `cictl local agents` and its actions; the test itself sends the agents' requests. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cictl } from '../support/cli.ts';
import { useHome } from '../support/home.ts';
import { useService, type TestService } from '../support/service.ts';
import { register, takeJob, useBuild } from './faults-agent.ts';
import { sampled } from '../support/full.ts';

const local =
  ({ home }: TestService) =>
  (...args: string[]) =>
    cictl(['local', ...args], { home, env: { CICTL_DATA_DIR: join(home.root, 'service') } });

async function useAgents() {
  const { service } = await useBuild([{ command: 'true', key: 'train', agents: { queue: 'gpu' } }]);
  return { service, run: local(service) };
}

const gpu = { name: 'gpu-1', hostname: 'box', meta_data: ['queue=gpu', 'os=linux'] };

test('lists agents with state, tags, job and last contact', async () => {
  const { service, run } = await useAgents();
  const agent = await register(service, gpu);
  await register(service, { name: 'mac-1', hostname: 'mini', version: '3.90.0' });
  await takeJob(agent);
  const { stdout } = await run('agents');
  const rows = stdout.trimEnd().split('\n');
  expect(rows.map((row) => row.split('\t').slice(0, 6))).toEqual([
    ['gpu-1', 'busy', 'queue=gpu,os=linux', 'p/1#train', '4.0.0', 'box'],
    ['mac-1', 'idle', 'queue=default', '', '3.90.0', 'mini'],
  ]);
  expect(rows[0]?.split('\t').slice(6)).toEqual([
    expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as string,
    agent.id,
  ]);
  const table = await run('agents', '-o', 'table');
  expect(table.stdout.split('\n')[0]?.trim().split(/ +/)).toEqual([
    ...['NAME', 'STATE', 'TAGS', 'JOB', 'VERSION', 'HOST', 'SEEN'],
  ]);
  const json = await run('agents', '--json');
  expect(JSON.parse(json.stdout)).toMatchObject([
    { id: agent.id, connection_state: 'connected', job: { step_key: 'train' } },
    { name: 'mac-1', job: null },
  ]);
});

sampled.each([['agent', 'list'], ['agents', 'ls'], ['agent']])(
  '%j lists them too',
  async (...words) => {
    const { service, run } = await useAgents();
    await register(service, gpu);
    expect((await run(...words, '--fields', 'name')).stdout).toBe('gpu-1\n');
    expect((await run(...words, '--help')).stdout).toContain('List agents of the local service');
  },
);

test('lists nothing without agents', async () => {
  const { run } = await useAgents();
  expect(await run('agents')).toMatchObject({
    ...{ exitCode: 0, stdout: '' },
    stderr: 'no agents; to start one: cictl local agent start, or cictl local up --slots N\n',
  });
});

test('pauses an agent for a while, and resumes it', async () => {
  const { service, run } = await useAgents();
  const agent = await register(service, { name: 'mac-1' });
  const paused = await run('agent', 'pause', 'mac-1', '--note', 'new disk', '--for', '90s');
  expect(paused).toMatchObject({
    ...{ exitCode: 0, stdout: '', stderr: 'agent mac-1 is paused for 2m\n' },
  });
  expect((await agent.call('GET', '/ping')).json).toMatchObject({
    ...{ action: 'pause', message: 'new disk' },
  });
  expect((await run('agents', '--fields', 'state,paused_note')).stdout).toBe('paused\tnew disk\n');
  const resumed = await run('agent', 'resume', agent.id);
  expect(resumed.stderr).toBe(`agent ${agent.id} is no longer paused\n`);
  expect((await run('agents', '--fields', 'state')).stdout).toBe('idle\n');
});

sampled.each([
  [[], 'agent gpu-1 will stop after its job p/1#train\n', 'running'],
  [['--force'], 'agent gpu-1 is stopping, and its job p/1#train is being canceled\n', 'canceling'],
])('an agent is stopped %j', async (flags, stderr, state) => {
  const { service, run } = await useAgents();
  const agent = await register(service, gpu);
  const job = await takeJob(agent);
  expect(await run('agent', 'stop', 'gpu-1', ...flags)).toMatchObject({ exitCode: 0, stderr });
  expect((await job.call('GET', '')).json.state).toBe(state);
  expect((await run('agents', '--fields', 'state')).stdout).toBe('stopping\n');
});

test('a slot exists as long as the service', async () => {
  const service = await useService({ slots: 1 });
  expect(await local(service)('agent', 'pause', 'local-1')).toMatchObject({
    exitCode: 8,
    stderr:
      "cictl: cannot pause agent local-1: local-1 is one of the service's own slots; " +
      'it cannot be changed\n',
  });
});

test('an idle agent stops at its next ping', async () => {
  const { service, run } = await useAgents();
  const agent = await register(service, { name: 'mac-1' });
  expect((await run('agent', 'stop', 'mac-1')).stderr).toBe('agent mac-1 is stopping\n');
  expect((await agent.call('GET', '/ping')).json).toEqual({ action: 'disconnect' });
});

test('if several agents share a name, lists their ids and does nothing', async () => {
  const { service, run } = await useAgents();
  const one = await register(service, { name: 'twin', hostname: 'a' });
  const other = await register(service, { name: 'twin', hostname: 'b' });
  const { exitCode, stderr } = await run('agent', 'stop', 'twin');
  expect([exitCode, stderr]).toEqual([
    2,
    [
      'cictl: 2 agents are named "twin"',
      `${one.id} a idle`,
      `${other.id} b idle`,
      `  try: use the ID of an agent, such as ${one.id}`,
      '',
    ].join('\n'),
  ]);
  expect((await run('agents', '--fields', 'state')).stdout).toBe('idle\nidle\n');
  expect((await run('agent', 'stop', other.id)).exitCode).toBe(0);
});

sampled.each([
  [['agent', 'stop', 'nobody'], 7, 'cictl: no agent "nobody" is connected'],
  [['agent', 'pause', 'x', '--for', '0'], 2, 'cictl: --for must be between 1m and 7d'],
  [['agent', 'pause', 'x', '--for', '10081m'], 2, 'cictl: --for must be between 1m and 7d'],
  [['agent', 'start', '--count', '0'], 2, 'cictl: --count must be between 1 and 100, not 0'],
])('%j is code %i', async (args, code, line) => {
  const { run } = await useAgents();
  const { exitCode, stderr } = await run(...args);
  expect([exitCode, stderr.split('\n')[0]]).toEqual([code, line]);
});

sampled.each([[['agents']], [['agent', 'stop', 'x']], [['agent', 'resume', 'x']]])(
  'without a service %j is code 9',
  async (args) => {
    const home = await useHome();
    expect(await cictl(['local', ...args], { home })).toMatchObject({
      exitCode: 9,
      stderr: 'cictl: the local service is not running\n  try: cictl local up\n',
    });
  },
);

test('local status counts the agents that local agents lists, and names tags without agents', async () => {
  const { service, run } = await useAgents();
  const listed = async () =>
    (JSON.parse((await run('agents', '--json')).stdout) as unknown[]).length;
  const { stdout } = await run('status', '--json');
  expect(JSON.parse(stdout)).toMatchObject({
    ...{ agents: await listed(), waiting_for_agents: [{ tags: ['queue=gpu'], jobs: 1 }] },
  });
  expect((await run('status')).stderr).toBe('no agent has queue=gpu: 1 job is waiting\n');
  await register(service, gpu);
  const later = await run('status', '--json');
  expect(JSON.parse(later.stdout)).toMatchObject({
    ...{ agents: await listed(), waiting_for_agents: [] },
  });
});

test('the view of a build says so too, and a run on a service without slots is rejected', async () => {
  const { service, run } = await useAgents();
  const { home } = service;
  const view = await cictl(['builds', 'view', 'p/1', '-o', 'table'], { home });
  expect(view.stdout).toContain('○ no agent has queue=gpu: true\n');
  const job = await cictl(['job', 'view', 'p/1#train', '-o', 'table'], { home });
  expect(job.stdout).toContain('no agent has queue=gpu');
  for (const args of [
    ['builds', 'view', 'p/1'],
    ['job', 'view', 'p/1#train'],
  ]) {
    // TSV has no column for it; JSON has a member.
    expect((await cictl(args, { home })).stderr).toBe('no agent has queue=gpu: true\n');
    expect((await cictl([...args, '--json'], { home })).stderr).toBe('');
    expect((await cictl([...args, '--fields', 'state'], { home })).stderr).toBe('');
  }
  const env = { CICTL_DATA_DIR: join(home.root, 'service') };
  const stdin = 'steps: [{ command: echo hi }]';
  const refused = await cictl(['run', '-'], { home, env, stdin });
  expect(refused).toMatchObject({
    exitCode: 2,
    stderr:
      'cictl: the local service has no slots: it runs jobs only on agents\n' +
      '  try: cictl run --agents\n',
  });
  expect((await run('down')).exitCode).toBe(0);
});
