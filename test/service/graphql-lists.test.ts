import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCounterpart, type Counterpart, type Sending, type Wire } from './counterpart.ts';
import { scriptedRunner } from './scripted-runner.ts';
import { tickingClock } from './ticking-clock.ts';

let service: Counterpart;
let member: string;
let otherId: string;

const org = '/v2/organizations/local';
const file = `
steps:
  - { label: one, key: first, command: 'true', agents: { queue: linux, os: x } }
  - wait
  - { label: two, key: second, command: 'exit 1' }
  - { block: 'Go?' }
`;

beforeAll(async () => {
  service = await createCounterpart({
    runner: scriptedRunner({ auto: true }),
    clock: tickingClock(),
  });
  const path = await service.pipeline('first', file);
  await service.pipeline('Second', "steps: [{ block: 'b', blocked_state: 'running' }]");
  await service.pipeline('third', "steps: [{ command: 'true' }]");
  for (const number of [1, 2, 3]) {
    await service.post(`${path}/builds`, { commit: 'HEAD', branch: `b${number}` });
    await service.settled(`${path}/builds/${number}`);
  }
  const { jobs } = (await service.get(`${path}/builds/3`)).json;
  await service.put(`${path}/builds/3/jobs/${jobs[2]?.id ?? ''}/retry`);
  await service.settled(`${path}/builds/3`);
  await service.post(`${org}/pipelines/Second/builds`, { commit: 'HEAD', branch: 'main' });
  otherId = (await service.admin('POST', '/organizations', { slug: 'other' })).id;
  const zoe = { name: 'Zoe', email: 'zoe@x', role: 'admin', organizations: ['local'] };
  await service.admin('POST', '/users', zoe);
  const ada = { name: 'Ada', email: 'Ada@x', role: 'member', organizations: ['local'] };
  await service.admin('POST', '/users', ada);
  member = (await service.admin('POST', '/tokens', { user: 'Ada@x', organizations: ['local'] }))
    .token;
});

afterAll(() => service.close());

async function ask(query: string, variables: object = {}, sending: Sending = {}): Promise<Wire> {
  const { json } = await service.post('/v1', { query, variables }, sending);
  expect(json['errors']).toBeUndefined();
  return json.data;
}

interface Edges {
  readonly count: number;
  readonly edges: { readonly cursor: string; readonly node: Wire | null }[];
  readonly pageInfo: Record<string, unknown>;
}

/** A connection of the organization. */
async function listed(what: string, node: string, sending: Sending = {}): Promise<Edges> {
  const query = `{ organization(slug: "local") { ${what} { count edges { cursor node { ${node} } }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } } }`;
  const { organization } = (await ask(query, {}, sending)) as unknown as { organization: object };
  return Object.values(organization)[0] as Edges;
}

const jobNode = `... on JobTypeCommand { label build { number } } ... on JobTypeWait { label build { number } }
  ... on JobTypeBlock { label build { number } }`;

async function jobs(given: string): Promise<string[]> {
  const { edges, count } = await listed(`jobs(first: 100, ${given})`, jobNode);
  expect(count).toBe(edges.length);
  return edges.map(({ node }) => `${(node?.['build'] as Wire).number} ${String(node?.['label'])}`);
}

describe('jobs of an organization', () => {
  test('lists jobs newest first, with whole builds and retries', async () => {
    const all = await jobs('type: [COMMAND, WAIT, BLOCK, TRIGGER]');
    expect(all).toHaveLength(14);
    expect(all.slice(0, 3)).toEqual(['1 b', '3 two', '3 Go?']);
    expect(all.at(-1)).toBe('1 one');
  });

  test.each([
    ['state: [FINISHED], type: [COMMAND]', 7],
    ['state: FINISHED, type: WAIT', 3],
    ['state: [RUNNING]', 0],
    ['state: [BLOCKED]', 1],
    ['state: [BLOCKED_FAILED]', 3],
    ['passed: true', 3],
    ['passed: false', 4],
    ['step: { key: ["second"] }', 4],
    ['step: { key: ["first", "second"] }, passed: true', 3],
    ['agentQueryRules: "queue=linux"', 3],
    ['agentQueryRules: ["queue=linux", "os=x"]', 3],
    ['agentQueryRules: ["queue=linux", "os=y"]', 0],
    ['createdAtFrom: "2000-01-01"', 14],
    ['createdAtTo: "2000-01-01"', 0],
    ['finishedAt: "2000-01-01"', 0],
    ['concurrency: { group: ["g"] }', 0],
    ['priority: { number: [1] }', 0],
    ['priority: { number: [0, 1] }', 14],
    ['cluster: "c"', 0],
    ['clusterQueue: ["q"]', 0],
  ])('jobs(%s)', async (given, expected) => {
    expect(await jobs(given)).toHaveLength(expected);
  });

  test('finishedAt is a day', async () => {
    const { edges } = await listed(
      'jobs(state: FINISHED, type: COMMAND)',
      '... on JobTypeCommand { finishedAt }',
    );
    const day = String(edges[0]?.node?.['finishedAt']).slice(0, 10);
    expect(await jobs(`finishedAt: "${day}", type: COMMAND`)).toHaveLength(7);
  });

  test('RECENTLY_ASSIGNED puts the most recently accepted job first', async () => {
    expect((await jobs('order: RECENTLY_ASSIGNED, type: COMMAND')).slice(0, 3)).toEqual([
      '3 two',
      '3 two',
      '3 one',
    ]);
  });

  test.each(['RECENTLY_CREATED', 'RECENTLY_ASSIGNED'])(
    'pages by %s, forward and backward',
    async (order) => {
      const id = '... on JobTypeCommand { id }';
      const page = async (given: string) =>
        listed(`jobs(type: COMMAND, order: ${order}, ${given})`, id);
      const all = await page('first: 100');
      const ids = (edges: Edges['edges']): unknown[] => edges.map(({ node }) => node?.id);
      const forward: unknown[] = [];
      for (let after: unknown = null; ;) {
        const { edges, pageInfo } = await page(`first: 3, after: ${JSON.stringify(after)}`);
        forward.push(...ids(edges));
        expect(pageInfo['hasPreviousPage']).toBe(after !== null);
        if (pageInfo['hasNextPage'] === false) break;
        after = pageInfo['endCursor'];
      }
      expect(forward).toEqual(ids(all.edges));
      const backward: unknown[] = [];
      for (let before: unknown = null; ;) {
        const { edges, pageInfo } = await page(`last: 3, before: ${JSON.stringify(before)}`);
        backward.unshift(...ids(edges));
        expect(pageInfo['hasNextPage']).toBe(before !== null);
        if (pageInfo['hasPreviousPage'] === false) break;
        before = pageInfo['startCursor'];
      }
      expect(backward).toEqual(ids(all.edges));
      expect(ids((await page('first: 5, last: 2')).edges)).toEqual(forward.slice(3, 5));
      expect(ids((await page('last: 0')).edges)).toEqual([]);
    },
  );
});

describe('jobs of a build', () => {
  const query = (
    given: string,
  ): string => `{ build(slug: "local/first/3") { jobs(${given}) { count edges { node {
    ... on JobInterface { retried retriesCount retryType retrySource { ... on JobTypeCommand { label } } }
    ... on JobTypeCommand { label parallelGroupIndex parallelGroupTotal } } } } } }`;

  test('lists jobs in step order, a retry after the job it replaces', async () => {
    const { build } = (await ask(query('first: 9'))) as unknown as { build: { jobs: Edges } };
    const plain = { retried: false, retriesCount: 0, retryType: null, retrySource: null };
    const single = { parallelGroupIndex: null, parallelGroupTotal: null };
    expect(build.jobs.edges.map(({ node }) => node)).toEqual([
      { ...plain, ...single, label: 'one' },
      plain,
      { ...plain, ...single, label: 'two', retried: true, retryType: 'MANUAL' },
      { ...plain, ...single, label: 'two', retriesCount: 1, retrySource: { label: 'two' } },
      plain,
    ]);
  });

  test('omits retried jobs on request', async () => {
    const { build } = (await ask(query('includeRetried: false'))) as unknown as {
      build: { jobs: Edges };
    };
    expect(build.jobs.count).toBe(4);
  });
});

test('a pipeline has its own jobs', async () => {
  const { pipeline } = (await ask(
    '{ pipeline(slug: "local/Second") { jobs(first: 5) { count edges { node { ... on JobTypeBlock { label } } } } } }',
  )) as unknown as { pipeline: { jobs: object } };
  expect(pipeline.jobs).toEqual({ count: 1, edges: [{ node: { label: 'b' } }] });
});

describe('pipelines', () => {
  const slugs = async (given: string): Promise<unknown[]> =>
    (await listed(`pipelines(${given})`, 'slug')).edges.map(({ node }) => node?.slug);

  test.each([
    ['first: 9', ['third', 'Second', 'first']],
    ['archived: false', ['third', 'Second', 'first']],
    ['archived: true', []],
    ['order: NAME', ['first', 'Second', 'third']],
    ['search: "SEC"', ['Second']],
    ['favorite: true', []],
    ['tags: ["x"]', []],
    ['team: "everyone"', []],
    ['createdAtTo: "2000-01-01"', []],
    ['createdAtFrom: "2000-01-01", last: 1', ['first']],
  ])('pipelines(%s)', async (given, expected) => {
    expect(await slugs(given)).toEqual(expected);
  });

  test('the webhook URL is visible with edit permission, as in REST', async () => {
    await service.admin('PATCH', '/organizations/local/pipelines/first', {
      'provider.webhook_url': 'https://hooks.example/1',
      description: 'The first',
    });
    const query = `{ pipeline(slug: "local/first") { description webhookURL repository { provider { name webhookUrl } } } }`;
    const url = 'https://hooks.example/1';
    expect(await ask(query)).toEqual({
      pipeline: {
        description: 'The first',
        webhookURL: url,
        repository: { provider: { name: 'local', webhookUrl: url } },
      },
    });
    expect(await ask(query, {}, { token: member })).toEqual({
      pipeline: {
        description: 'The first',
        webhookURL: null,
        repository: { provider: { name: 'local', webhookUrl: null } },
      },
    });
  });
});

test('a pipeline shows its file', async () => {
  const query = '{ pipeline(slug: "local/first") { steps { yaml } } }';
  expect(await ask(query)).toEqual({ pipeline: { steps: { yaml: file } } });
});

test('the agent of a job is the one found by its id', async () => {
  const query =
    '{ job(uuid: "UUID") { ... on JobTypeCommand { agent { uuid connectionState } } } }';
  const [job] = (await service.get(`${org}/pipelines/first/builds/1`)).json.jobs;
  const found = await ask(query.replace('UUID', job?.id ?? ''));
  const { agent } = found['job'] as { agent: Wire };
  expect(agent).toEqual({ uuid: expect.any(String) as string, connectionState: 'connected' });
  const asked = `{ agent(slug: "local/${agent.uuid}") { uuid version } }`;
  expect(await ask(asked)).toEqual({ agent: { uuid: agent.uuid, version: '1.0.0' } });
});

describe('members', () => {
  const found = async (given: string): Promise<unknown[]> =>
    (await listed(`members(first: 9, ${given})`, 'role user { name }')).edges.map(({ node }) => [
      (node?.['user'] as Wire).name,
      node?.['role'],
    ]);

  test.each([
    ['order: RECENTLY_CREATED', ['Ada MEMBER', 'Zoe ADMIN', 'Local user ADMIN']],
    ['order: NAME', ['Ada MEMBER', 'Local user ADMIN', 'Zoe ADMIN']],
    ['role: MEMBER', ['Ada MEMBER']],
    ['email: "ada@X"', ['Ada MEMBER']],
    ['search: "USER"', ['Local user ADMIN']],
    ['team: "t"', []],
  ])('members(%s)', async (given, expected) => {
    const lines = (await found(given)).map((one) => (one as string[]).join(' '));
    expect(lines).toEqual(expected);
  });

  test('finds them by id and by slug', async () => {
    const { edges } = await listed('members(first: 1)', 'id uuid');
    const { id, uuid } = edges[0]?.node as Wire;
    expect(uuid).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
    const query = `query($id: ID!, $slug: ID!) {
      node(id: $id) { ... on OrganizationMember { user { name } } }
      organizationMember(slug: $slug) { user { name } organization { slug } }
    }`;
    expect(await ask(query, { id, slug: `local/${uuid}` })).toEqual({
      node: { user: { name: 'Ada' } },
      organizationMember: { user: { name: 'Ada' }, organization: { slug: 'local' } },
    });
  });
});

test('lists rules newest first, and filters by their parts', async () => {
  for (const type of ['pipeline.trigger_build.pipeline', 'pipeline.artifacts_read.pipeline'])
    await service.post(`${org}/rules`, {
      type,
      value: { source_pipeline: 'first', target_pipeline: 'third' },
    });
  const actions = async (given: string): Promise<unknown[]> =>
    (await listed(`rules(${given})`, 'action')).edges.map(({ node }) => node?.['action']);
  expect(await actions('first: 9')).toEqual(['ARTIFACTS_READ', 'TRIGGER_BUILD']);
  expect(await actions('action: TRIGGER_BUILD')).toEqual(['TRIGGER_BUILD']);
  expect(await actions('sourceType: PIPELINE, first: 1')).toEqual(['ARTIFACTS_READ']);
  const { edges } = await listed('rules(first: 1)', 'uuid document');
  const { uuid, ...rule } = edges[0]?.node as Wire;
  expect(JSON.parse(String(rule['document']))).toMatchObject({
    rule: 'pipeline.artifacts_read.pipeline',
  });
  const query =
    'query($uuid: ID!) { rule(uuid: $uuid) { effect target { ... on Pipeline { slug } } } }';
  expect(await ask(query, { uuid })).toEqual({
    rule: { effect: 'ALLOW', target: { slug: 'third' } },
  });
});

test('shows agents, their jobs, and finds them', async () => {
  const node =
    'id uuid name hostname connectionState isRunningJob job { __typename } organization { slug }';
  const { count, edges } = await listed('agents(first: 9)', node);
  expect(count).toBe(2);
  expect(edges[1]?.node).toMatchObject({
    name: 'local-2',
    hostname: 'localhost',
    connectionState: 'connected',
    isRunningJob: false,
    job: null,
    organization: { slug: 'local' },
  });
  for (const given of ['isRunningJob: true', 'paused: true', 'search: "x"', 'metaData: "queue=x"'])
    expect((await listed(`agents(${given})`, 'id')).count).toBe(0);
  for (const given of ['isRunningJob: false', 'metaData: "queue=default"', 'search: "LOCAL"'])
    expect((await listed(`agents(${given})`, 'id')).count).toBe(2);
  const { id, uuid } = edges[0]?.node as Wire;
  const query = `query($id: ID!, $slug: ID!) { agent(slug: $slug) { name } node(id: $id) { ... on Agent { name } } }`;
  expect(await ask(query, { id, slug: `local/${uuid}` })).toEqual({
    agent: { name: 'local-1' },
    node: { name: 'local-1' },
  });
});

test('lists annotations newest first or by priority', async () => {
  const path = `${org}/pipelines/first/builds/1`;
  for (const [context, priority] of [
    ['a', 1],
    ['b', 9],
    ['c', 1],
  ])
    await service.post(`${path}/annotations`, { body: 'x', context, priority });
  const contexts = async (given: string): Promise<unknown[]> => {
    const query = `{ build(slug: "local/first/1") { annotations(${given}) { edges { node { id context } } } } }`;
    const { build } = (await ask(query)) as unknown as { build: { annotations: Edges } };
    const { edges } = build.annotations;
    const { id } = edges[0]?.node as Wire;
    expect(await ask('query($id: ID!) { node(id: $id) { id } }', { id })).toEqual({ node: { id } });
    return edges.map(({ node }) => node?.['context']);
  };
  expect(await contexts('first: 9')).toEqual(['c', 'b', 'a']);
  expect(await contexts('order: PRIORITY_RECENTLY_CREATED')).toEqual(['b', 'c', 'a']);
  expect(await contexts('style: INFO, last: 1')).toEqual(['a']);
});

test('the viewer has their own builds', async () => {
  const query = `query($branch: String) { viewer { builds(first: 2, branch: $branch) { count edges { node { number pipeline { slug } } } } } }`;
  expect(await ask(query)).toMatchObject({
    viewer: { builds: { count: 4, edges: [{ node: { pipeline: { slug: 'Second' } } }, {}] } },
  });
  expect(await ask(query, { branch: 'b2' })).toMatchObject({
    viewer: { builds: { count: 1, edges: [{ node: { number: 2 } }] } },
  });
  expect(await ask(query, {}, { token: member })).toMatchObject({
    viewer: { builds: { count: 0 } },
  });
});

test('a blocked build names its block step', async () => {
  const query = '{ build(slug: "local/Second/1") { state blockedState canceledAt } }';
  expect(await ask(query)).toEqual({
    build: { state: 'RUNNING', blockedState: 'RUNNING', canceledAt: null },
  });
});

test('finds an organization by slug or UUID', async () => {
  const query = 'query($uuid: ID, $slug: ID) { organization(uuid: $uuid, slug: $slug) { slug } }';
  const uuid = (await service.get(org)).json.id;
  expect(await ask(query, { uuid })).toEqual({ organization: { slug: 'local' } });
  expect(await ask(query, { slug: 'local' })).toEqual({ organization: { slug: 'local' } });
  expect(await ask(query, {})).toEqual({ organization: null });
  expect(await ask(query, { uuid: otherId })).toEqual({ organization: null });
});

test('another organization sees none of it', async () => {
  const { token } = await service.admin('POST', '/tokens', { organizations: ['other'] });
  const { edges } = await listed(
    'jobs(first: 1)',
    '... on JobTypeBlock { id } ... on JobTypeCommand { id }',
  );
  const { edges: rules } = await listed('rules(first: 1)', 'id');
  const { edges: members } = await listed('members(order: NAME, first: 1)', 'id');
  const query = `query($job: ID!, $rule: ID!, $member: ID!) {
    organization(slug: "other") { jobs { count } pipelines { count } rules { count } members { count } }
    job: node(id: $job) { id } rule: node(id: $rule) { id } member: node(id: $member) { id }
  }`;
  const [job, rule, one] = [edges, rules, members].map(([edge]) => edge?.node?.id);
  expect(await ask(query, { job, rule, member: one }, { token })).toEqual({
    organization: {
      jobs: { count: 0 },
      pipelines: { count: 0 },
      rules: { count: 0 },
      members: { count: 1 },
    },
    job: null,
    rule: null,
    member: null,
  });
});
