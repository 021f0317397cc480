/** Agents in the API: REST, GraphQL, jobs and metrics. */
import { expect, test } from 'vitest';
import { useService } from '../support/service.ts';
import { register, takeJob, useBuild } from './faults-agent.ts';
import { createCaller, type Caller } from './rest-caller.ts';
import { sampled } from '../support/full.ts';

const linux = {
  ...{ name: 'linux-1', hostname: 'box', version: '4.0.1', pid: 77, priority: '5' },
  os: 'PRETTY_NAME="Debian GNU/Linux 13"\nID=debian\n',
  meta_data: ['queue=gpu', 'os=linux'],
};

async function useAgents(steps: readonly (string | object)[] = ['true']) {
  const { service } = await useBuild(steps);
  return { service, caller: createCaller(service), path: '/v2/organizations/local' };
}

const onlyBuild = '/v2/organizations/local/pipelines/p/builds/1';

const names = ({ list }: { readonly list: readonly { readonly name?: unknown }[] }): unknown[] =>
  list.map(({ name }) => name);

test('an agent has its name, host, version, tags and priority', async () => {
  const { service, caller, path } = await useAgents();
  const { id } = await register(service, linux);
  const one = await caller.get(`${path}/agents/${id}`);
  expect(one.json).toMatchObject({
    ...{ id, name: 'linux-1', hostname: 'box', version: '4.0.1', priority: 5 },
    ...{ ip_address: '127.0.0.1', connection_state: 'connected', paused: false, job: null },
    meta_data: ['queue=gpu', 'os=linux'],
    last_seen_at: expect.stringMatching(/^20/) as string,
  });
  expect((await caller.get(`${path}/agents`)).list).toEqual([one.json]);
});

test('finds agents by name, host and version, page by page', async () => {
  const { service, caller, path } = await useAgents();
  await register(service, linux);
  await register(service, { name: 'mac-1', hostname: 'mini', version: '3.90.0' });
  const found = async (query: string) => names(await caller.get(`${path}/agents?${query}`));
  expect(await found('name=mac-1')).toEqual(['mac-1']);
  expect(await found('hostname=box')).toEqual(['linux-1']);
  expect(await found('version=3.90.0')).toEqual(['mac-1']);
  expect(await found('hostname=box&version=3.90.0')).toEqual([]);
  expect(await found('per_page=1&page=2')).toEqual(['mac-1']);
});

test('a job names its agent, and the agent its job', async () => {
  const { service, caller, path } = await useAgents([
    { command: 'true', key: 'train', agents: { queue: 'gpu' } },
  ]);
  const agent = await register(service, linux);
  const job = await takeJob(agent);
  const busy = await caller.get(`${path}/agents/${agent.id}`);
  expect(busy.json['job']).toMatchObject({ id: job.id, step_key: 'train', state: 'running' });
  const { jobs } = (await caller.get(onlyBuild)).json as unknown as { jobs: object[] };
  expect(jobs).toMatchObject([
    { agent: { id: agent.id, name: 'linux-1', hostname: 'box', meta_data: linux.meta_data } },
  ]);
  await job.finish();
  const idle = await caller.get(`${path}/agents/${agent.id}`);
  expect(idle.json).toMatchObject({
    job: null,
    last_job_finished_at: expect.stringMatching(/^20/) as string,
  });
  // A disconnected agent is not listed, but its job still names it.
  await agent.call('POST', '/disconnect');
  expect((await caller.get(`${path}/agents`)).list).toEqual([]);
  const gone = await caller.get(`${path}/agents/${agent.id}`);
  expect(gone.json).toMatchObject({ name: 'linux-1', connection_state: 'disconnected' });
});

test('metrics count agents by queue, busy and idle', async () => {
  const { service, caller } = await useAgents([{ command: 'true', agents: { queue: 'gpu' } }]);
  const agent = await register(service, linux);
  await register(service, { ...linux, name: 'linux-2' });
  await register(service, { name: 'plain' });
  await takeJob(agent);
  const { agents } = (await caller.metrics()) as { agents: object };
  expect(agents).toEqual({
    ...{ idle: 2, busy: 1, total: 3 },
    queues: {
      default: { idle: 1, busy: 0, total: 1 },
      gpu: { idle: 1, busy: 1, total: 2 },
    },
  });
});

sampled.each(['rest', 'graphql'] as const)('an agent is paused and resumed by %s', async (way) => {
  const { service, caller, path } = await useAgents([
    { command: 'true', agents: { queue: 'gpu' } },
  ]);
  const agent = await register(service, { ...linux, meta_data: ['queue=none'] });
  const at = `${path}/agents/${agent.id}`;
  const ask = {
    rest: (verb: string, body: object) => caller.put(`${at}/${verb}`, body),
    graphql: (verb: string, body: object) => mutate(caller, verb, agent.id, body),
  }[way];
  const minutes = way === 'rest' ? 'timeout_in_minutes' : 'timeoutInMinutes';
  await ask('pause', { note: 'new disk', [minutes]: 7 });
  expect((await caller.get(at)).json).toMatchObject({
    ...{ paused: true, paused_note: 'new disk', paused_timeout_in_minutes: 7 },
    paused_by: { name: 'Local user' },
  });
  expect((await agent.call('GET', '/ping')).json).toMatchObject({ action: 'pause' });
  expect(await queried(caller, 'paused: true')).toMatchObject([
    { pausedNote: 'new disk', pausedTimeoutInMinutes: 7, pausedBy: { name: 'Local user' } },
  ]);
  await ask('resume', {});
  expect((await caller.get(at)).json).toMatchObject({ paused: false });
  expect(await queried(caller, 'paused: true')).toEqual([]);
});

sampled.each([
  ['rest', 'gracefully', { force: false }, 'running'],
  ['rest', 'at once', {}, 'canceling'],
  ['graphql', 'gracefully', { graceful: true }, 'running'],
  ['graphql', 'at once', {}, 'canceling'],
] as const)('an agent is stopped by %s %s', async (way, _, body, state) => {
  const { service, caller, path } = await useAgents(['true']);
  const agent = await register(service);
  const job = await takeJob(agent);
  const at = `${path}/agents/${agent.id}`;
  if (way === 'rest') expect((await caller.put(`${at}/stop`, body)).status).toBe(204);
  else await mutate(caller, 'stop', agent.id, body);
  expect((await caller.get(at)).json).toMatchObject({ connection_state: 'stopping' });
  expect((await job.call('GET', '')).json.state).toBe(state);
  await job.finish('0', state === 'canceling' ? { signal_reason: 'cancel' } : {});
  expect((await agent.call('GET', '/ping')).json).toEqual({ action: 'disconnect' });
});

sampled.each([
  ['stop', { force: 'perhaps' }, 422],
  ['pause', { timeout_in_minutes: 0 }, 422],
  ['pause', { timeout_in_minutes: 10_081 }, 422],
  ['pause', { note: 'x'.repeat(1001) }, 422],
  ['pause', { note: 5 }, 422],
])('%s with %j is refused', async (verb, body, status) => {
  const { service, caller, path } = await useAgents();
  const agent = await register(service);
  const reply = await caller.put(`${path}/agents/${agent.id}/${verb}`, body);
  expect(reply.status).toBe(status);
  expect((await caller.get(`${path}/agents/${agent.id}`)).json).toMatchObject({
    ...{ connection_state: 'connected', paused: false },
  });
});

test('a disconnected agent, a slot and an unknown agent cannot be stopped', async () => {
  const { service, caller, path } = await useAgents();
  const agent = await register(service);
  await agent.call('POST', '/disconnect');
  const gone = await caller.put(`${path}/agents/${agent.id}/stop`);
  expect([gone.status, gone.json['message']]).toEqual([400, 'Can only stop connected agents']);
  expect((await caller.put(`${path}/agents/none/stop`)).status).toBe(404);
  const slots = createCaller(await useService({ slots: 1 }));
  const [slot] = (await slots.get(`${path}/agents`)).list;
  const kept = await slots.put(`${path}/agents/${String(slot?.['id'])}/pause`);
  expect([kept.status, kept.json['message']]).toEqual([
    400,
    "local-1 is one of the service's own slots; it cannot be changed",
  ]);
});

test('GraphQL finds agents by tags, search and state', async () => {
  const { service, caller } = await useAgents([{ command: 'true', agents: { queue: 'gpu' } }]);
  const agent = await register(service, linux);
  await register(service, { name: 'mac-1', meta_data: ['queue=mac'] });
  const job = await takeJob(agent);
  const found = async (given: string) => names({ list: await queried(caller, given) });
  expect(await found('metaData: ["queue=gpu", "os=linux"]')).toEqual(['linux-1']);
  expect(await found('search: "MAC"')).toEqual(['mac-1']);
  expect(await found('isRunningJob: true')).toEqual(['linux-1']);
  expect(await found('isRunningJob: false')).toEqual(['mac-1']);
  expect(await queried(caller, 'search: "linux"')).toMatchObject([
    {
      ...{ hostname: 'box', version: '4.0.1', connectionState: 'connected', priority: 5 },
      ...{ pid: '77', operatingSystem: { name: 'Debian GNU/Linux 13' }, isRunningJob: true },
      metaData: ['queue=gpu', 'os=linux'],
      job: { uuid: job.id },
    },
  ]);
});

test('a job shows the tags it waits for, until an agent has them', async () => {
  const { service, caller } = await useAgents([
    { command: 'true', agents: { queue: 'gpu', os: 'linux' } },
    'true',
  ]);
  const waits = async () => {
    const { jobs } = (await caller.get(onlyBuild)).json as unknown as { jobs: Waiting[] };
    return jobs.map(({ waiting_for_agents: tags }) => tags ?? []);
  };
  expect(await waits()).toEqual([['os=linux', 'queue=gpu'], ['queue=default']]);
  const agent = await register(service, linux);
  expect(await waits()).toEqual([[], ['queue=default']]);
  await agent.call('POST', '/disconnect');
  expect(await waits()).toEqual([['os=linux', 'queue=gpu'], ['queue=default']]);
});

interface Waiting {
  readonly waiting_for_agents?: readonly string[];
}

const queried = async (caller: Caller, given: string): Promise<Record<string, unknown>[]> => {
  const { organization } = (await caller.graphql(
    `{ organization(slug: "local") { agents(${given}, first: 9) { edges { node {
       name hostname version pid priority metaData connectionState isRunningJob
       operatingSystem { name } job { ... on JobTypeCommand { uuid } }
       pausedNote pausedTimeoutInMinutes pausedBy { name } } } } } }`,
  )) as { organization: { agents: { edges: { node: Record<string, unknown> }[] } } };
  return organization.agents.edges.map(({ node }) => node);
};

async function mutate(caller: Caller, verb: string, uuid: string, input: object): Promise<void> {
  const id = Buffer.from(`Agent---${uuid}`).toString('base64');
  const name = `${verb[0]?.toUpperCase() ?? ''}${verb.slice(1)}`;
  const query = `mutation($input: Agent${name}Input!) { agent${name}(input: $input) { agent { uuid } } }`;
  expect(await caller.graphql(query, { input: { id, ...input } })).toEqual({
    [`agent${name}`]: { agent: { uuid } },
  });
}
